import { expect, test } from 'vitest'
import type { Queue } from './queues.ts'
import { createLog, retry, SELDOM, setupWorkers, until } from './testing/setup-workers.ts'

const { isWaiting, query, readJob, request, work } = setupWorkers()

test('a failing tenant is retried with backoff, reported once, and delays no other', async () => {
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

test('jobs whose times were set while a clock was ahead run after it was corrected', async () => {
  const hours = (count: number) => `now() + interval '${count} hours'`
  await query(`insert into jobs (queue, tenant_id, due_at, finished_at) values
    ('mail', 'a', ${hours(5)}, ${hours(4)}), ('mail', 'b', ${hours(5)}, ${hours(-1)}),
    ('sms', 'a', ${hours(9_000)}, ${hours(-30)}), ('sms', 'b', ${hours(9_000)}, ${hours(-1)}),
    ('webhooks', 'a', ${hours(9_000)}, null), ('webhooks', 'b', ${hours(20)}, null)`)
  const turns: string[] = []
  const queue: Queue = {
    concurrency: 2,
    retry,
    run: async ({ queue, tenantId }) => {
      turns.push(`${queue} ${tenantId}`)
      return new Date(Date.now() + 5 * 3_600_000)
    },
  }
  work({ mail: queue, sms: queue, webhooks: queue })
  await until(() => turns.length).toBe(3)
  expect(turns.sort()).toEqual(['mail a', 'sms a', 'webhooks a'])
  await until(async () => (await readJob('mail', 'a')).leased_by).toBeNull()
  expect((await readJob('mail', 'a')).finished_at.getTime()).toBeLessThanOrEqual(Date.now())
})

test('a worker whose clock is behind does not run again what others have done', async () => {
  const daysBehind = (days: number) => `now() - interval '${days} days'`
  await query(`insert into jobs (queue, tenant_id, due_at, finished_at) values
    ('mail', 'a', now() + interval '5 hours', now()), ('mail', 'b', now(), ${daysBehind(1)}),
    ('mail', 'c', ${daysBehind(4)}, null)`)
  const turns: string[] = []
  const mail: Queue = { concurrency: 2, retry, run: async ({ tenantId }) => void turns.push(tenantId) }
  work({ mail }, { now: () => new Date(Date.now() - 3 * 86_400_000) })
  await until(() => turns).toEqual(['c'])
})

test('a job that becomes due while the clock is read is run', async () => {
  const due = new Date(Date.now() + 60_000)
  const beforeDue = new Date(due.getTime() - 1)
  const turns: string[] = []
  // Ahead of the database's clock, so that the first request is due.
  const clock = { readings: [] as Date[], now: new Date(Date.now() + 1_000) }
  work(
    {
      mail: {
        concurrency: 1,
        retry,
        run: async ({ tenantId }) => {
          turns.push(tenantId)
          return undefined
        },
      },
    },
    { now: () => clock.readings.shift() ?? clock.now },
  )
  await request('mail', 'a')
  await until(() => turns).toEqual(['a'])
  await until(() => isWaiting('mail', 'a')).toBe(true)
  Object.assign(clock, { readings: [beforeDue], now: due })
  await request('mail', 'b', { dueAt: due })
  await until(() => turns).toEqual(['a', 'b'])
})
