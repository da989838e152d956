import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { type Listener, listenToDatabase } from '../database/listen.ts'
import { enqueue } from './enqueue.ts'
import { assertFence, LeaseLost } from './fence.ts'
import type { Job, QueueName } from './queues.ts'
import { type Queue, type Queues, startWorker, type WorkerTiming } from './worker.ts'

// No result depends on how busy the machine is.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
const until = <T>(read: () => T) => expect.poll(read, { timeout: 60_000 })

const retry = { firstMs: 10, longestMs: 40 }
// So long that nothing in a test comes of a poll.
const SELDOM: Partial<WorkerTiming> = { pollIntervalMs: 3_600_000, heartbeatMs: 3_600_000 }

let db: TestDatabase
let superuser: pg.Pool
const ends: (() => Promise<unknown>)[] = []

beforeEach(async () => {
  db = await createTestDatabase()
  superuser = new pg.Pool({ ...db.superuser, max: 2 })
  superuser.on('error', () => {})
  await superuser.query("insert into tenants (id) values ('a'), ('b')")
})
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  await superuser.end()
  await db.close()
})

interface Line {
  level: number
  msg: string
  queue?: string
  tenantId?: string
}

const createLog = () => {
  const lines: Line[] = []
  return { lines, log: pino({ level: 'info' }, { write: (text: string) => void lines.push(JSON.parse(text)) }) }
}

const open = (wrap: (listener: Listener) => Listener = (listener) => listener) => {
  const listener = listenToDatabase({ connection: db.runtime, log: pino({ level: 'silent' }), retryMs: 10 })
  ends.push(listener.close)
  return wrap(listener)
}

const work = (
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
}

const request = (queue: QueueName, tenantId: string, options: { subject?: string; dueAt?: Date } = {}) =>
  db.database.transaction({ tenantId }, (rows) => enqueue(rows, queue, tenantId, options))

const readJob = async (queue: QueueName, tenantId: string) =>
  (await superuser.query('select * from jobs where queue = $1 and tenant_id = $2', [queue, tenantId])).rows[0]

const isWaiting = async (queue: QueueName, tenantId: string) => {
  const job = await readJob(queue, tenantId)
  return job?.leased_by === null && job.due_at === null
}

const hold = () => Promise.withResolvers<void>()

/** Ends when the signal is aborted, like a feed that runs for hours. */
const untilAborted = (signal: AbortSignal) =>
  new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }))

test('runs a job as soon as the transaction that requests it commits, without a poll', async () => {
  const ran: string[] = []
  work({
    mail: {
      concurrency: 1,
      retry,
      run: async ({ tenantId }) => {
        ran.push(tenantId)
        return undefined
      },
    },
  })
  const undone = db.database.transaction({ tenantId: 'b' }, async (rows) => {
    await enqueue(rows, 'mail', 'b')
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await request('mail', 'a')
  await until(() => ran).toEqual(['a'])
  await until(() => isWaiting('mail', 'a')).toBe(true)
  expect(await readJob('mail', 'b')).toBeUndefined()
})

test('runs a job at the time that it is due, without a poll', async () => {
  const startedAt: Date[] = []
  work({
    sms: {
      concurrency: 1,
      retry,
      run: async () => {
        startedAt.push(new Date())
        return undefined
      },
    },
  })
  const dueAt = new Date(Date.now() + 300)
  await request('sms', 'a', { dueAt })
  await until(() => startedAt.length).toBe(1)
  expect(startedAt[0]?.getTime()).toBeGreaterThanOrEqual(dueAt.getTime())
})

test('several workers never run one job at the same time, and run each as often as it is requested', async () => {
  const inside = new Map<string, number>()
  let most = 0
  const turns = new Map<string, number>()
  const queue: Queue = {
    concurrency: 4,
    retry,
    run: async ({ tenantId, subject }) => {
      const key = `${tenantId}:${subject}`
      inside.set(key, (inside.get(key) ?? 0) + 1)
      most = Math.max(most, inside.get(key) ?? 0)
      await superuser.query('select pg_sleep(0.005)')
      inside.set(key, (inside.get(key) ?? 0) - 1)
      turns.set(key, (turns.get(key) ?? 0) + 1)
      return (turns.get(key) ?? 0) < 5 ? new Date() : undefined
    },
  }
  for (let worker = 0; worker < 3; worker++) work({ mail: queue })
  for (const tenantId of ['a', 'b'])
    for (let subject = 0; subject < 5; subject++) await request('mail', tenantId, { subject: String(subject) })
  await until(() => [...turns.values()].filter((count) => count >= 5).length).toBe(10)
  expect(most).toBe(1)
})

test('a request during a turn is not lost: the job runs again', async () => {
  const gate = hold()
  let turns = 0
  work({
    mail: {
      concurrency: 1,
      retry,
      run: async () => {
        if (++turns === 1) await gate.promise
        return undefined
      },
    },
  })
  await request('mail', 'a')
  await until(() => turns).toBe(1)
  await request('mail', 'a')
  gate.resolve()
  await until(() => turns).toBe(2)
  await until(() => isWaiting('mail', 'a')).toBe(true)
})

test('a thousand jobs of one tenant do not delay the single job of another', async () => {
  const order: string[] = []
  const tenants = ['a', 'b']
  await superuser.query(
    `insert into jobs (queue, tenant_id, subject, due_at)
     select 'mail', 'a', number::text, now() - interval '1 hour' from generate_series(1, 1000) as number`,
  )
  await superuser.query("insert into jobs (queue, tenant_id, due_at) values ('mail', 'b', now() - interval '1 minute')")
  const worker = work({
    mail: {
      concurrency: 2,
      retry,
      run: async ({ tenantId }) => {
        order.push(tenantId)
        return undefined
      },
    },
  })
  await until(() => order.length).toBeGreaterThan(10)
  await worker.stop()
  expect(new Set(order.slice(0, 2))).toEqual(new Set(tenants))
})

test('a tenant with endless work lets the others go first after each turn', async () => {
  const order: string[] = []
  const gate = hold()
  const worker = work({
    mail: {
      concurrency: 1,
      retry,
      run: async ({ tenantId }) => {
        order.push(tenantId)
        if (order.length === 1) await gate.promise
        return tenantId === 'a' ? new Date() : undefined
      },
    },
  })
  await request('mail', 'a')
  await until(() => order).toEqual(['a'])
  await request('mail', 'b')
  gate.resolve()
  await until(() => order.length).toBeGreaterThan(5)
  await worker.stop()
  expect(order.slice(0, 3)).toEqual(['a', 'b', 'a'])
})

test('a failing tenant is tried again with growing pauses, reported once, and holds up nobody', async () => {
  const { log, lines } = createLog()
  let failures = 0
  let turnsOfB = 0
  work(
    {
      mail: {
        concurrency: 1,
        retry,
        run: async ({ tenantId }) => {
          if (tenantId === 'b') {
            turnsOfB++
            return undefined
          }
          if (failures < 4) {
            failures++
            throw new Error('no luck')
          }
          return undefined
        },
      },
    },
    { log },
  )
  await request('mail', 'a')
  await until(() => failures).toBeGreaterThan(0)
  await request('mail', 'b')
  await until(() => turnsOfB).toBe(1)
  await until(() => readJob('mail', 'a')).toMatchObject({ failures: 0, total_failures: 4, due_at: null })
  await until(() => lines.map(({ level, tenantId, queue }) => ({ level, tenantId, queue }))).toEqual([
    { level: 50, tenantId: 'a', queue: 'mail' },
    { level: 30, tenantId: 'a', queue: 'mail' },
  ])
})

test('the pause after each failure grows up to its limit', async () => {
  const clock = { now: new Date() }
  const dues: number[] = []
  let turns = 0
  work(
    {
      mail: {
        concurrency: 1,
        retry: { firstMs: 60_000, longestMs: 240_000 },
        run: async () => {
          turns++
          throw new Error('no luck')
        },
      },
    },
    { now: () => clock.now, timing: { ...SELDOM, pollIntervalMs: 20 } },
  )
  await request('mail', 'a')
  clock.now = new Date(Date.now() + 1_000)
  for (let turn = 1; turn <= 4; turn++) {
    await until(async () => (await readJob('mail', 'a'))?.failures).toBe(turn)
    const due = (await readJob('mail', 'a')).due_at as Date
    dues.push((due.getTime() - clock.now.getTime()) / 60_000)
    expect(turns).toBe(turn)
    clock.now = due
  }
  for (const [index, expected] of [1, 2, 4, 4].entries()) {
    expect(dues[index]).toBeGreaterThanOrEqual(expected * 0.79)
    expect(dues[index]).toBeLessThanOrEqual(expected * 1.21)
  }
})

test('a job that failed too often waits for a new request', async () => {
  const { log, lines } = createLog()
  let turns = 0
  work(
    {
      mail: {
        concurrency: 1,
        retry: { firstMs: 1, longestMs: 1 },
        retryLimit: 2,
        run: async () => {
          turns++
          throw new Error('no luck')
        },
      },
    },
    { log },
  )
  await request('mail', 'a')
  await until(async () => (await readJob('mail', 'a'))?.failures).toBe(3)
  expect(await isWaiting('mail', 'a')).toBe(true)
  expect(turns).toBe(3)
  expect(lines.map(({ level }) => level)).toEqual([50, 50])
  await request('mail', 'a')
  await until(() => turns).toBe(4)
})

test('a worker that stalled beyond its lease can neither write nor record', async () => {
  const stalled = hold()
  const claims: { job: Job; signal: AbortSignal }[] = []
  const run = async (job: Job, signal: AbortSignal) => {
    claims.push({ job, signal })
    if (claims.length === 1) await stalled.promise
    return new Date(Date.now() + 86_400_000)
  }
  const queue: Queue = { concurrency: 1, retry, run }
  const first = work({ mail: queue })
  ends.push(async () => stalled.resolve())
  await request('mail', 'a')
  await until(() => claims.length).toBe(1)
  // The first worker shows no sign of life; the second lives an hour later.
  const later = () => new Date(Date.now() + 3_600_000)
  work({ mail: queue }, { now: later })
  await until(() => claims.length).toBe(2)
  await until(async () => (await readJob('mail', 'a')).leased_by).toBeNull()
  const write = (job: Job | undefined) =>
    db.database.transaction({ tenantId: 'a' }, (rows) => assertFence(rows, job as Job))
  await expect(write(claims[0]?.job)).rejects.toThrow(LeaseLost)
  await write(claims[1]?.job)
  const before = await readJob('mail', 'a')
  stalled.resolve()
  await first.stop()
  expect(await readJob('mail', 'a')).toEqual(before)
})

test('nobody claims a job while a transaction of its fence is open, its renewal goes on, and it ends when it is lost', async () => {
  const claims: Job[] = []
  const reasons: unknown[] = []
  const queue: Queue = {
    concurrency: 1,
    retry,
    run: async (job, signal) => {
      claims.push(job)
      await untilAborted(signal)
      reasons.push(signal.reason)
      return undefined
    },
  }
  const clock = { now: new Date(Date.now() + 1_000) }
  work({ 'vendor-feeds': queue }, { now: () => clock.now, timing: { ...SELDOM, heartbeatMs: 10, leaseMs: 10_000 } })
  await request('vendor-feeds', 'a', { subject: '1' })
  await until(() => claims.length).toBe(1)
  await db.database.transaction({ tenantId: 'a' }, async (rows) => {
    await assertFence(rows, claims[0] as Job)
    let polls = 0
    const listener = open((inner) => ({
      ...inner,
      query: (text, values) =>
        inner.query(text, values).finally(() => text.includes('skip locked') && polls++) as never,
    }))
    const later = () => new Date(Date.now() + 7_200_000)
    work({ 'vendor-feeds': queue }, { now: later, listener, timing: { ...SELDOM, pollIntervalMs: 10 } })
    await until(() => polls).toBeGreaterThan(6)
    expect(claims).toHaveLength(1)
    clock.now = new Date(clock.now.getTime() + 5_000)
    const renewed = new Date(clock.now.getTime() + 10_000)
    await until(async () => (await readJob('vendor-feeds', 'a')).lease_until).toEqual(renewed)
    expect(claims).toHaveLength(1)
  })
  await until(() => claims.length).toBe(2)
  expect(claims[1]?.fence).toBe(2)
  clock.now = new Date(clock.now.getTime() + 5_000)
  await until(() => reasons).toEqual([expect.any(LeaseLost)])
})

test('a long job keeps its lease, and a request makes it begin again', async () => {
  const claims: Job[] = []
  work(
    {
      'vendor-feeds': {
        concurrency: 1,
        retry,
        restartsOnRequest: true,
        run: (job, signal) => {
          claims.push(job)
          return untilAborted(signal)
        },
      },
    },
    { timing: { pollIntervalMs: 5, heartbeatMs: 5, leaseMs: 200 } },
  )
  await request('vendor-feeds', 'a', { subject: '7' })
  await until(() => claims.length).toBe(1)
  const first = (await readJob('vendor-feeds', 'a')).lease_until as Date
  await until(async () => ((await readJob('vendor-feeds', 'a')).lease_until as Date).getTime()).toBeGreaterThan(
    first.getTime(),
  )
  expect(claims).toHaveLength(1)
  await request('vendor-feeds', 'a', { subject: '7' })
  await until(() => claims.length).toBe(2)
})

test('the job of a worker that was killed goes to another long before its lease ends', async () => {
  const script = fileURLToPath(new URL('./testing/worker-process.ts', import.meta.url))
  const child = fork(script, [JSON.stringify(db.runtime)])
  const claimed = once(child, 'message')
  await request('vendor-feeds', 'a', { subject: '7' })
  await claimed
  const claims: Job[] = []
  const queue: Queue = {
    concurrency: 1,
    retry,
    run: (job, signal) => {
      claims.push(job)
      return untilAborted(signal)
    },
  }
  work({ 'vendor-feeds': queue }, { timing: { ...SELDOM, heartbeatMs: 20 } })
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
  await until(() => claims.length).toBe(1)
  expect(claims[0]?.fence).toBe(2)
})

test('jobs end when the session is lost, and are claimed anew by the next one', async () => {
  const reasons: unknown[] = []
  const queue: Queue = {
    concurrency: 1,
    retry,
    run: async (_job, signal) => {
      await untilAborted(signal)
      reasons.push(signal.reason)
      return undefined
    },
  }
  work({ 'vendor-feeds': queue }, { timing: { ...SELDOM, heartbeatMs: 20 } })
  await request('vendor-feeds', 'a', { subject: '7' })
  await until(async () => (await readJob('vendor-feeds', 'a'))?.fence).toBe(1)
  await superuser.query(
    "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())",
  )
  await until(async () => (await readJob('vendor-feeds', 'a'))?.fence).toBe(2)
  expect(reasons).toEqual([expect.any(LeaseLost)])
})

test('stop tells the jobs to end, waits for them, and leaves them to the next worker', async () => {
  let ended = false
  const queue: Queue = {
    concurrency: 1,
    retry,
    run: async (_job, signal) => {
      await untilAborted(signal)
      ended = true
      return new Date(Date.now() + 3_600_000)
    },
  }
  const worker = work({ mail: queue })
  await request('mail', 'a')
  await until(async () => (await readJob('mail', 'a'))?.leased_by).toEqual(expect.any(Number))
  await worker.stop()
  expect(ended).toBe(true)
  const job = await readJob('mail', 'a')
  expect(job.leased_by).toBeNull()
  expect(job.due_at.getTime()).toBeLessThanOrEqual(Date.now())
})

test('the jobs of a worker that stops go to another at once, without a poll', async () => {
  const feeds = (started: string[]): Queues => ({
    'vendor-feeds': {
      concurrency: 10,
      retry,
      restartsOnRequest: true,
      run: ({ subject }, signal) => {
        started.push(subject)
        return untilAborted(signal)
      },
    },
  })
  const first: string[] = []
  const worker = work(feeds(first))
  await request('vendor-feeds', 'a', { subject: '1' })
  await until(() => first).toEqual(['1'])
  const second: string[] = []
  const listener = open()
  work(feeds(second), { listener })
  await until(() => listener.query('select 1').catch(() => [])).toHaveLength(1)
  await worker.stop()
  await until(() => second).toEqual(['1'])
})

test('more jobs than one claim takes all run, though none of them ends', async () => {
  const started = new Set<string>()
  await superuser.query(
    `insert into jobs (queue, tenant_id, subject, due_at)
     select 'vendor-feeds', 'a', number::text, now() - interval '1 hour' from generate_series(1, 250) as number`,
  )
  work({
    'vendor-feeds': {
      concurrency: 1_000,
      retry,
      run: ({ subject }, signal) => {
        started.add(subject)
        return untilAborted(signal)
      },
    },
  })
  await until(() => started.size).toBe(250)
})

test('an idle installation of 1,000 tenants needs at most five queries a second, whatever the number of tenants', async () => {
  await superuser.query("insert into tenants (id) select 't' || number from generate_series(1, 998) as number")
  let turns = 0
  const queue: Queue = {
    seed: 'tenants',
    concurrency: 20,
    retry,
    run: async () => {
      turns++
      return undefined
    },
  }
  const statements: string[] = []
  const listener = open((inner) => ({
    ...inner,
    query: (text, values) => {
      statements.push(text)
      return inner.query(text, values)
    },
  }))
  // As in production, a thousand times as fast.
  work({ mail: queue, sms: queue }, { listener, timing: { pollIntervalMs: 300, heartbeatMs: 20 } })
  await until(() => turns).toBe(2_000)
  await until(() => superuser.query('select from jobs where leased_by is not null').then((r) => r.rowCount)).toBe(0)
  statements.length = 0
  const countPolls = () =>
    statements.filter((text) => text.includes('insert into jobs (queue, tenant_id, due_at)')).length
  await until(countPolls).toBeGreaterThanOrEqual(3)
  const beats = statements.filter((text) => text.includes('pg_locks')).length
  const perPoll = (statements.length - beats) / countPolls()
  expect(perPoll).toBeLessThanOrEqual(4)
  const perSecond = 1 / 2 + perPoll / 30
  console.log(`idle with 1,000 tenants: ${perSecond.toFixed(2)} queries/s`)
  expect(perSecond).toBeLessThan(5)
  expect(turns).toBe(2_000)
})
