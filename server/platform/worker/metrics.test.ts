import { once } from 'node:events'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { listenToDatabase } from '../database/listen.ts'
import { enqueue } from './enqueue.ts'
import { startWorker } from './worker.ts'

const log = pino({ level: 'silent' })
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const readMetrics = async (queue: string) => {
  const { body } = await server.call('a', 'GET', '/metrics')
  const read = (name: string) => {
    const value = new RegExp(`^${name}\\{queue="${queue}"\\} (\\S+)$`, 'm').exec(String(body))?.[1]
    return value === undefined ? undefined : Number(value)
  }
  return {
    waiting: read('jobs_waiting'),
    oldestDueS: read('jobs_oldest_due_seconds'),
    running: read('jobs_running'),
    failing: read('jobs_failing'),
    failures: read('jobs_failures_total'),
  }
}

test('/metrics reports waiting, running and failing jobs of each queue', async () => {
  const listener = listenToDatabase({ connection: server.runtime, log })
  const retry = { firstMs: 3_600_000, longestMs: 3_600_000 }
  await server.database.transaction({ tenantId: 'a' }, async (db) => {
    await enqueue(db, 'mail', 'a')
    await enqueue(db, 'commands', 'a')
    await enqueue(db, 'sms', 'a', { subject: 'oldest', dueAt: new Date(Date.now() - 500_000) })
    await enqueue(db, 'sms', 'a', { subject: 'newer', dueAt: new Date(Date.now() - 90_000) })
    await enqueue(db, 'sms', 'a', { subject: 'not due', dueAt: new Date(Date.now() + 3_600_000) })
  })
  const worker = startWorker({
    listener,
    log,
    now: () => new Date(),
    queues: {
      mail: {
        concurrency: 1,
        retry,
        run: async () => {
          throw new Error('a fault')
        },
      },
      commands: {
        concurrency: 1,
        retry,
        run: async (_, signal) => {
          if (!signal.aborted) await once(signal, 'abort')
          return undefined
        },
      },
    },
  })
  const idle = { waiting: 0, oldestDueS: 0, running: 0, failing: 0, failures: 0 }
  const poll = (queue: string) => expect.poll(() => readMetrics(queue))
  await poll('mail').toEqual({ ...idle, failing: 1, failures: 1 })
  await poll('commands').toEqual({ ...idle, running: 1 })
  const sms = await readMetrics('sms')
  expect(sms).toEqual({ ...idle, waiting: 2, oldestDueS: expect.any(Number) })
  expect(sms.oldestDueS).toBeGreaterThanOrEqual(490)
  await server.database.transaction({ tenantId: 'a' }, (db) => enqueue(db, 'mail', 'a'))
  await poll('mail').toMatchObject({ failing: 1, failures: 2 })
  await worker.stop()
  await listener.close()
})
