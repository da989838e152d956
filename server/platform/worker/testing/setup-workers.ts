import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts'
import { type Listener, listenToDatabase } from '../../database/listen.ts'
import { enqueue } from '../enqueue.ts'
import type { QueueName, Queues } from '../queues.ts'
import { startWorker, type WorkerTiming } from '../worker.ts'

export const retry = { firstMs: 10, longestMs: 40 }
/** So long that no result in a test can come from a poll. */
export const SELDOM: Partial<WorkerTiming> = { pollIntervalMs: 3_600_000, heartbeatMs: 3_600_000 }

export const until = <T>(read: () => T) => expect.poll(read)

/** Ends when the signal is aborted, like a feed that runs for hours. */
export const untilAborted = (signal: AbortSignal) =>
  new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }))

interface Line {
  level: number
  msg: string
  queue?: string
  tenantId?: string
}

export const createLog = () => {
  const lines: Line[] = []
  return { lines, log: pino({ level: 'info' }, { write: (text: string) => void lines.push(JSON.parse(text)) }) }
}

/**
 * A database with the tenants a and b for the tests of a file. Each test starts without jobs, and its workers stop when
 * it ends.
 */
export const setupWorkers = () => {
  const ends: (() => Promise<unknown>)[] = []
  let db: TestDatabase
  let superuser: pg.Pool

  beforeAll(async () => {
    db = await createTestDatabase()
    superuser = new pg.Pool({ ...db.superuser, max: 2 })
    superuser.on('error', () => {})
    await superuser.query("insert into tenants (id) values ('a'), ('b')")
  })
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
    await superuser.query('delete from jobs')
  })
  afterAll(async () => {
    await superuser.end()
    await db.close()
  })

  const open = (wrap: (listener: Listener) => Listener = (listener) => listener) => {
    const listener = listenToDatabase({ connection: db.runtime, log: pino({ level: 'silent' }), retryMs: 10 })
    ends.push(listener.close)
    return wrap(listener)
  }

  const readJob = async (queue: QueueName, tenantId: string) =>
    (await superuser.query('select * from jobs where queue = $1 and tenant_id = $2', [queue, tenantId])).rows[0]

  return {
    getDatabase: () => db,
    query: (text: string) => superuser.query(text),
    onEnd: (end: () => Promise<unknown>) => void ends.push(end),
    open,
    readJob,
    work: (
      queues: Queues,
      {
        timing = SELDOM,
        listener = open(),
        log = pino({ level: 'silent' }) as FastifyBaseLogger,
        now = () => new Date(),
      }: { timing?: Partial<WorkerTiming>; listener?: Listener; log?: FastifyBaseLogger; now?: () => Date } = {},
    ) => {
      const worker = startWorker({ listener, queues, log, now, timing })
      ends.push(worker.stop)
      return worker
    },
    request: (queue: QueueName, tenantId: string, options: { subject?: string; dueAt?: Date } = {}) =>
      db.database.transaction({ tenantId }, (rows) => enqueue(rows, queue, tenantId, options)),
    isWaiting: async (queue: QueueName, tenantId: string) => {
      const job = await readJob(queue, tenantId)
      return job?.leased_by === null && job.due_at === null
    },
  }
}
