import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { appendAnchor, appendRestart, readAnchorFile } from './anchor-file.ts'

let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'dishboard-anchors-'))
})
afterAll(() => rm(dataDir, { recursive: true }))

const buildAnchor = (seq: number) => ({
  tenantId: 'a',
  seq,
  hash: Buffer.alloc(32, seq),
  at: new Date('2026-11-18T12:00:00Z'),
  keyId: 'key',
  signature: Buffer.alloc(64, seq),
})
const list = async () => (await readAnchorFile(dataDir, 'a')).map(({ seq }) => seq)
/** As a full disk or a loss of power leaves it. */
const cutOff = () => appendFile(join(dataDir, 'audit-anchors', 'a.jsonl'), '{"anchor":2,"tenant":"a","ha')

test('an anchor and a restart after a line that was cut off are read', async () => {
  await appendAnchor(dataDir, buildAnchor(1))
  await cutOff()
  await appendAnchor(dataDir, buildAnchor(3))
  expect(await list()).toEqual([1, 3])
  await cutOff()
  await appendRestart(dataDir, 'a', new Date())
  expect(await list()).toEqual([])
})
