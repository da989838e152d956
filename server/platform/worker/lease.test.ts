import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { OWN_LOCKS } from '../../testing/own-locks.ts'
import { assertFence, LeaseLost } from './fence.ts'
import type { Job, Queue, Queues } from './queues.ts'
import { createLog, retry, SELDOM, setupWorkers, until, untilAborted } from './testing/setup-workers.ts'

const { getDatabase, onEnd, open, query, readJob, request, work } = setupWorkers()

test('a worker that stalled beyond its lease can neither write nor record', async () => {
  const stalled = Promise.withResolvers<void>()
  const claims: { job: Job; signal: AbortSignal }[] = []
  const run = async (job: Job, signal: AbortSignal) => {
    claims.push({ job, signal })
    if (claims.length === 1) await stalled.promise
    return new Date(Date.now() + 86_400_000)
  }
  const queue: Queue = { concurrency: 1, retry, run }
  const first = work({ mail: queue })
  onEnd(async () => stalled.resolve())
  await request('mail', 'a')
  await until(() => claims.length).toBe(1)
  // The first worker stops renewing its lease; the second worker's clock is an hour ahead.
  const later = () => new Date(Date.now() + 3_600_000)
  work({ mail: queue }, { now: later })
  await until(() => claims.length).toBe(2)
  await until(async () => (await readJob('mail', 'a')).leased_by).toBeNull()
  const write = (job: Job | undefined) =>
    getDatabase().database.transaction({ tenantId: 'a' }, (rows) => assertFence(rows, job as Job))
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
  await getDatabase().database.transaction({ tenantId: 'a' }, async (rows) => {
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
  const child = fork(script, [JSON.stringify({ connection: getDatabase().runtime })])
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
  await query(
    "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())",
  )
  await until(async () => (await readJob('vendor-feeds', 'a'))?.fence).toBe(2)
  expect(reasons).toEqual([expect.any(LeaseLost)])
})

test('a worker that gets no response when it begins tries again, and counts as one worker', async () => {
  let lost = 0
  const listener = open((inner) => ({
    ...inner,
    query: async (text, values) => {
      const rows = await inner.query(text, values)
      if (text.includes('pg_try_advisory_lock') && lost++ < 2) throw new Error('Query read timeout')
      return rows as never
    },
  }))
  const claims: Job[] = []
  const run = async (job: Job) => void claims.push(job)
  const { lines, log } = createLog()
  work({ mail: { concurrency: 1, retry, run } }, { listener, log, timing: { ...SELDOM, heartbeatMs: 20 } })
  await request('mail', 'a')
  await until(() => claims.length).toBe(1)
  expect(lines.map(({ msg }) => msg)).toEqual(['Background jobs cannot be read or recorded now; trying again.'])
  const { rows } = await query(`select from ${OWN_LOCKS} where locktype = 'advisory' and objsubid = 2`)
  expect(rows).toHaveLength(1)
})

test('stop aborts the jobs, waits for them, and leaves them to the next worker', async () => {
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
