import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { atMost, exactly, type Figure } from '../figure.ts'
import { fillIn } from '../tools/find-tool.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const units = join(root, 'deploy/systemd')

/** systemd's own score: 0 is locked down, 10 is open. */
const EXPOSURE = /exposure level for \S+: ([\d.]+)/

const isGivenUp = (file: string) => !/^StartLimitIntervalSec=0$/m.test(readFileSync(file, 'utf8'))

/** Verifies copies of the units with the folder of this clone instead of /opt/dishboard, which does not exist here. */
export const verifyUnits = (program: string, folder: string, log: (message: string) => void): Figure[] => {
  mkdirSync(folder, { recursive: true })
  const files = readdirSync(units).map((name) => {
    const path = join(folder, name)
    writeFileSync(path, fillIn(readFileSync(join(units, name), 'utf8'), [['/opt/dishboard/', root]]))
    return path
  })
  const run = (...args: string[]) => spawnSync(program, args, { encoding: 'utf8' })
  const verified = run('verify', '--man=no', ...files)
  if (verified.stderr) log(verified.stderr.trim())
  const faults = verified.stderr
    .split('\n')
    .filter((line) => files.some((file) => line.includes(file.split('/').at(-1) as string)))
  const exposures = files.map((file) => Number(EXPOSURE.exec(run('security', '--offline=true', file).stdout)?.[1]))
  return [
    exactly('systemd units', files.length, 2),
    exactly('faults that systemd-analyze verify finds in them', faults.length + (verified.status === 0 ? 0 : 1), 0),
    exactly('units that systemd no longer starts after several failures', files.filter(isGivenUp).length, 0),
    atMost('their exposure by systemd-analyze security, of 10', Math.max(...exposures), 1.5),
  ]
}
