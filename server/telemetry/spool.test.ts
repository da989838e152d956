import { mkdir, mkdtemp, readdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { openSpool, type Receiving } from './spool.ts'

const alpha = { tenantId: 'alpha', credentialId: 1 }
const beta = { tenantId: 'beta', credentialId: 2 }

let folder: string
const lines: { level: number; msg: string }[] = []
const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spool-'))
  lines.length = 0
})

const open = (maxBytes = 1024 ** 2) => openSpool({ folder, maxBytes, log })
type Spool = Awaited<ReturnType<typeof open>>
const receive = (spool: Spool, text: string, { owner = alpha, atMs = 1_000 } = {}): Receiving => {
  const receiving = spool.receive(owner, { receivedAt: new Date(atMs) })
  receiving.write(Buffer.from(text))
  return receiving
}
const listFiles = async () =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
const readAll = async (spool: Spool) => {
  const responses = await spool.refresh()
  return Promise.all(responses.map(async (each) => `${each.tenantId}: ${(await spool.read(each)).toString('utf8')}`))
}

test('the next process finds what a killed one had received, in the order of arrival, with a folder for each credential', async () => {
  const killed = await open()
  await receive(killed, '["second"]', { atMs: 2_000 }).finish()
  await receive(killed, '["first"]', { atMs: 1_000 }).finish()
  await receive(killed, '["other"]', { owner: beta, atMs: 1_500 }).finish()
  const next = await open()
  expect(await readAll(next)).toEqual(['alpha: ["first"]', 'beta: ["other"]', 'alpha: ["second"]'])
  expect(next.getState()).toMatchObject({ files: 3, oldestAt: new Date(1_000) })
  for (const response of await next.refresh()) await next.remove(response)
  expect(await listFiles()).toEqual([])
  expect(next.getState()).toMatchObject({ files: 0, bytes: 0, oldestAt: undefined })
})

test('a response whose last byte was written when its process was killed is found, one that was cut off is set aside', async () => {
  const killed = await open()
  receive(killed, '["whole"]')
  receive(killed, '["half', { atMs: 2_000 })
  const next = await open()
  expect(await readAll(next)).toEqual(['alpha: ["whole"]'])
  const half = (await listFiles()).find((name) => name.endsWith('.part')) as string
  expect(half).toContain('2000-')
  const longAgo = new Date(Date.now() - 3_600_000)
  await utimes(join(folder, 'alpha', '1', half), longAgo, longAgo)
  await next.refresh()
  expect((await listFiles()).filter((name) => name.endsWith('.cut'))).toHaveLength(1)
  expect(lines.map(({ level, msg }) => ({ level, msg }))).toEqual([
    { level: 50, msg: 'A telemetry response was cut off while it arrived. Its rows are lost.' },
  ])
})

test('files and folders of others in the same place do not matter', async () => {
  await receive(await open(), '["ours"]').finish()
  await mkdir(join(folder, 'lost+found'))
  await mkdir(join(folder, 'alpha', 'copy of 1'))
  for (const path of ['.listing', 'notes', join('alpha', '.listing'), join('lost+found', '1')])
    await writeFile(join(folder, path), 'something')
  expect(await readAll(await open())).toEqual(['alpha: ["ours"]'])
})

test('what cannot be read is reported once, and the rest is stored', async () => {
  await receive(await open(), '["ours"]').finish()
  const name = (id: number) => `00000000000000${id}-${'0'.repeat(35)}${id}`
  const own = join(folder, 'alpha', '1')
  await mkdir(join(own, `${name(1)}.part`))
  await mkdir(join(own, `${name(2)}.json`))
  await symlink(join(own, `${name(3)}.json`), join(own, `${name(3)}.json`))
  const spool = await open()
  expect(await readAll(spool)).toEqual(['alpha: ["ours"]'])
  expect(await readAll(spool)).toEqual(['alpha: ["ours"]'])
  expect(lines.filter(({ msg }) => msg.startsWith('Spooled telemetry cannot be read.'))).toHaveLength(3)
})

test('a response that is being received or stored is left to its poller', async () => {
  const spool = await open()
  const receiving = receive(spool, '["mine"]')
  expect(await readAll(spool)).toEqual([])
  const response = await receiving.finish()
  expect(await readAll(spool)).toEqual([])
  spool.leaveToDrain(response)
  expect(await readAll(spool)).toEqual(['alpha: ["mine"]'])
})

test('a response that failed on the way leaves nothing', async () => {
  const spool = await open()
  receive(spool, '["ha').discard()
  expect(await listFiles()).toEqual([])
  expect(spool.getState().bytes).toBe(0)
})

test('no more is requested while the spool is full or a response of the credential waits', async () => {
  const spool = await open(10)
  const never = new AbortController().signal
  await spool.untilReady(alpha, never)
  const response = await receive(spool, '["0123456789"]').finish()
  spool.leaveToDrain(response)
  const ready: string[] = []
  const waits = [alpha, beta].map((owner) => spool.untilReady(owner, never).then(() => ready.push(owner.tenantId)))
  await spool.refresh()
  expect(ready).toEqual([])
  expect(lines.filter(({ level }) => level === 50).map(({ msg }) => msg)).toEqual([
    expect.stringContaining('The telemetry spool is full.'),
  ])
  await spool.remove(response)
  await Promise.all(waits)
  expect(ready.sort()).toEqual(['alpha', 'beta'])
})

test('waiting for room ends when the feed stops', async () => {
  const spool = await open(1)
  spool.leaveToDrain(await receive(spool, '["full"]').finish())
  const stop = new AbortController()
  const wait = spool.untilReady(beta, stop.signal)
  stop.abort()
  await wait
})

test('a disk that cannot be written is reported by finish and counted', async () => {
  const spool = await open()
  await writeFile(join(folder, 'beta'), 'a file where a folder should be')
  const receiving = spool.receive(beta, { receivedAt: new Date() })
  receiving.write(Buffer.from('["lost?"]'))
  await expect(receiving.finish()).rejects.toThrow()
  expect(spool.getState()).toMatchObject({ bytes: 0, failures: 1 })
})
