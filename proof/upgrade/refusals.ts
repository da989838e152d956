import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { restoreBackup } from '#server/backup/restore-backup.ts'
import { deriveSecrets } from '#server/platform/secrets.ts'
import type { Place } from './cluster.ts'
import { SECRET_KEY } from './fill.ts'

const isRefused = (path: string, { owner, runtime }: Place) =>
  restoreBackup(path, { owner, runtimeRole: runtime.user as string, secrets: deriveSecrets(SECRET_KEY) }).then(
    () => false,
    (error: Error) => /not a whole backup/.test(error.message),
  )

/**
 * Truncates a backup and flips single bits, at many positions, and counts how often it was still accepted.
 */
export const countTaken = async (file: string, folder: string, target: Place, rounds: number) => {
  const bytes = await readFile(file)
  const bad = join(folder, 'bad.dishboard')
  const taken = { cut: 0, altered: 0 }
  for (let round = 0; round < rounds; round++) {
    const place = Math.floor(((round + Math.random()) / rounds) * bytes.length)
    await writeFile(bad, bytes.subarray(0, place))
    if (!(await isRefused(bad, target))) taken.cut++
    const altered = Buffer.from(bytes)
    altered.writeUInt8(altered.readUInt8(place) ^ (1 << (round % 8)), place)
    await writeFile(bad, altered)
    if (!(await isRefused(bad, target))) taken.altered++
  }
  return taken
}
