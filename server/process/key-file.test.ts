import { mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { StartupError } from '../platform/startup-error.ts'
import { readKeyFile } from './key-file.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'dishboard-key-'))
})
afterEach(() => rm(dataDir, { recursive: true }))

test('a key is generated once, for its owner only, and nothing else is left behind', async () => {
  const key = readKeyFile(dataDir)
  expect(Buffer.from(key, 'base64')).toHaveLength(32)
  expect(readKeyFile(dataDir)).toBe(key)
  expect(await readdir(dataDir)).toEqual(['secret.key'])
  expect((await stat(join(dataDir, 'secret.key'))).mode & 0o777).toBe(0o600)
})

test.each([
  ['empty, as on a disk that was full', ''],
  ['blank', '\n'],
  ['cut off', 'c2hvcnQ='],
  ['of zero bytes, as after a power failure', '\0'.repeat(45)],
])('a key file that is %s is refused: anyone could sign with such a key', async (_, content) => {
  await writeFile(join(dataDir, 'secret.key'), content)
  expect(() => readKeyFile(dataDir)).toThrow(StartupError)
  expect(() => readKeyFile(dataDir)).toThrow('is damaged')
})

test('a damaged file is never replaced silently, because it may be restored', async () => {
  const key = readKeyFile(dataDir)
  await truncate(join(dataDir, 'secret.key'))
  expect(() => readKeyFile(dataDir)).toThrow('backup')
  await writeFile(join(dataDir, 'secret.key'), `${key}\n`)
  expect(readKeyFile(dataDir)).toBe(key)
})
