import { link, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { publishFile } from './publish-file.ts'

const refuseLinks = () => Promise.reject(Object.assign(new Error('no links here'), { code: 'EPERM' }))

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dishboard-publish-'))
})
afterEach(() => rm(folder, { recursive: true }))

test.each([
  ['with hard links', link],
  ['without hard links', refuseLinks],
])('a file gets its name and replaces none on a disk %s', async (_, tryToLink) => {
  const [part, path] = [join(folder, 'a.part'), join(folder, 'a')]
  await writeFile(part, 'first')
  await publishFile(part, path, tryToLink)
  expect(await readFile(path, 'utf8')).toBe('first')
  await rm(part, { force: true })
  await writeFile(part, 'second')
  await expect(publishFile(part, path, tryToLink)).rejects.toMatchObject({ code: 'EEXIST' })
  expect(await readFile(path, 'utf8')).toBe('first')
  expect(await readdir(folder)).toEqual(['a', 'a.part'])
})
