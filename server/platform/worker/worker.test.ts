import { expect, test } from 'vitest'
import { enqueue } from './enqueue.ts'
import type { Queue } from './queues.ts'
import { retry, setupWorkers, until } from './testing/setup-workers.ts'

const { getDatabase, isWaiting, query, readJob, request, work } = setupWorkers()

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
  const undone = getDatabase().database.transaction({ tenantId: 'b' }, async (rows) => {
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
      await query('select pg_sleep(0.005)')
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
  const gate = Promise.withResolvers<void>()
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
