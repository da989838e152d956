import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { text } from 'node:stream/consumers'
import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { listenToDatabase } from '../platform/database/listen.ts'
import { startWorker } from '../platform/worker/worker.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { createSecurityEventQueue } from './deliver.ts'
import { recordSecurityEvent, type SecurityEvent } from './record.ts'
import { createSink, type Sink } from './sink.ts'

const log = pino({ level: 'silent' })
const now = () => new Date()

let fixture: TestDatabase
let superuser: pg.Client
const stops: (() => Promise<unknown>)[] = []

const record = (event: Partial<SecurityEvent> = {}, tenantId = 'a') =>
  fixture.database.transaction({ tenantId }, (db) =>
    recordSecurityEvent(db, tenantId, new Date('2026-11-14T12:00:00Z'), {
      kind: 'sign_in',
      account: 'ada@a.example',
      origin: { address: '203.0.113.7', userAgent: 'Firefox/140.0 (Windows)' },
      ...event,
    }),
  )

const startDelivery = (sink: Sink | undefined) => {
  const listener = listenToDatabase({ connection: fixture.runtime, log })
  const queue = createSecurityEventQueue({ database: fixture.database, now, sink })
  const quick = { ...queue, retry: { firstMs: 10, longestMs: 50 } }
  const worker = startWorker({ listener, log, now, queues: { 'security-events': quick } })
  stops.push(async () => {
    await worker.stop()
    await listener.close()
  })
}

test('a process whose standard output nobody reads keeps working, and sends the lines later', async () => {
  const code = `
    import { createSink } from ${JSON.stringify(new URL('./sink.ts', import.meta.url).href)}
    process.stdin.once('data', async () => {
      const sink = createSink({ target: 'stdout', authorization: undefined })
      const send = () => sink([{ at: new Date(), isWarning: false, json: '{}' }]).then(() => 'sent', (error) => error.code)
      console.error(await send(), await send())
      process.exit(0)
    })`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: 'pipe' })
  child.stdout.destroy()
  await once(child.stdout, 'close')
  child.stdin.write('go')
  expect((await text(child.stderr)).trim()).toBe('EPIPE EPIPE')
})

const listen = async (server: Server, port = 0) => {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  stops.push(() => new Promise((resolve) => server.close(resolve)))
  return (server.address() as AddressInfo).port
}

/** A log that receives lines over HTTP and returns the status that `decide` returns. */
const createHttpLog = (received: Record<string, unknown>[], decide: (authorization?: string) => number = () => 204) =>
  createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const status = decide(request.headers.authorization)
    if (status < 300)
      received.push(
        ...body
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line)),
      )
    response.writeHead(status).end()
  })

const countUnsent = async () =>
  (await superuser.query('select count(*)::int from security_events where sent_count < count')).rows[0].count

beforeAll(async () => {
  fixture = await createTestDatabase()
  superuser = await fixture.connectSuperuser()
  await superuser.query("insert into tenants (id) values ('a'), ('b')")
})
beforeEach(async () => {
  await superuser.query('delete from security_events; delete from jobs; delete from job_requests')
})
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})
afterAll(() => fixture.close())

test('events of every tenant reach an HTTP log as lines of JSON, with its authorization', async () => {
  const received: Record<string, unknown>[] = []
  const port = await listen(createHttpLog(received, (given) => (given === 'Bearer key' ? 204 : 401)))
  startDelivery(createSink({ target: `http://127.0.0.1:${port}/events`, authorization: 'Bearer key' }))
  await record()
  await record({ kind: 'export', details: { what: 'editing log' } }, 'b')
  await expect.poll(() => received.length).toBe(2)
  expect(received.find(({ tenant }) => tenant === 'a')).toEqual({
    time: '2026-11-14T12:00:00.000Z',
    firstTime: '2026-11-14T12:00:00.000Z',
    event: 'security',
    tenant: 'a',
    id: expect.any(Number),
    kind: 'sign_in',
    count: 1,
    account: 'ada@a.example',
    userId: null,
    actor: 'ada@a.example',
    address: '203.0.113.7',
    device: 'Firefox on Windows',
    details: {},
  })
  await expect.poll(countUnsent).toBe(0)
})

test('nothing is lost while the log is away, refuses, or comes back with much to send', async () => {
  const received: Record<string, unknown>[] = []
  let refusals = 0
  const logServer = createHttpLog(received, () => (refusals++ < 2 ? 503 : 204))
  // A port on which nothing is listening yet.
  const probe = createTcpServer()
  probe.listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  startDelivery(createSink({ target: `http://127.0.0.1:${port}/`, authorization: undefined }))
  await record()
  const countFailures = async () =>
    (await superuser.query("select coalesce(sum(total_failures), 0)::int as count from jobs where tenant_id = 'a'"))
      .rows[0].count
  await expect.poll(countFailures).toBeGreaterThan(1)
  await superuser.query(
    `insert into security_events (tenant_id, kind, at, last_at, account, actor, address, network, device)
     select 'a', 'sign_in', now(), now(), number::text, '', '', '', '' from generate_series(1, 1200) as number`,
  )
  await listen(logServer, port)
  await expect.poll(() => new Set(received.map(({ id }) => id)).size).toBe(1_201)
  expect(refusals).toBeGreaterThan(2)
  await expect.poll(countUnsent).toBe(0)
})

test('a failure that is repeated while it is being sent is sent again with its count', async () => {
  const counts: unknown[] = []
  const sink: Sink = async (lines) => {
    const { count } = JSON.parse(lines[0]?.json ?? '{}')
    counts.push(count)
    if (count === 1) for (let tries = 0; tries < 4; tries++) await record({ kind: 'sign_in_failed' })
  }
  await record({ kind: 'sign_in_failed' })
  startDelivery(sink)
  await expect.poll(() => counts).toEqual([1, 5])
  await record({ kind: 'sign_in_failed' })
  await expect.poll(() => counts).toEqual([1, 5, 6])
})

test('a syslog server receives RFC 5424 messages with their lengths', async () => {
  let received = ''
  const port = await listen(
    createTcpServer((socket) => {
      socket.setEncoding('utf8').on('data', (text) => {
        received += text
      })
    }),
  )
  startDelivery(createSink({ target: `syslog://127.0.0.1:${port}`, authorization: undefined }))
  await record({ account: 'ærø@a.example' })
  await expect.poll(countUnsent).toBe(0)
  const [, length, message] = /^(\d+) (<85>1 2026-11-14T12:00:00\.000Z \S+ dishboard \d+ security - (\{.*\}))$/.exec(
    received,
  ) as RegExpExecArray
  expect(Number(length)).toBe(Buffer.byteLength(message as string))
  expect(message).toContain('"account":"ærø@a.example"')
})

test('what may be an attack is marked as a warning', async () => {
  const marked: [string, boolean][] = []
  startDelivery(async (lines) => {
    for (const { json, isWarning } of lines) marked.push([JSON.parse(json).kind, isWarning])
  })
  await record({ kind: 'passkey_copied' })
  await record({ kind: 'token_refused' })
  await record({ kind: 'password_changed' })
  await expect.poll(countUnsent).toBe(0)
  expect(marked.sort()).toEqual([
    ['passkey_copied', true],
    ['password_changed', false],
    ['token_refused', true],
  ])
})

test('without a log, events are not collected for one', async () => {
  startDelivery(undefined)
  await record()
  await expect.poll(countUnsent).toBe(0)
})
