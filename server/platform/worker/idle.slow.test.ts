import { expect, test } from 'vitest'
import type { Queue } from './queues.ts'
import { retry, setupWorkers, until } from './testing/setup-workers.ts'

const { open, query, work } = setupWorkers()

test('an idle installation of 1,000 tenants needs at most five queries a second, whatever the number of tenants', async () => {
  await query("insert into tenants (id) select 't' || number from generate_series(1, 998) as number")
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
  await until(() => query('select from jobs where leased_by is not null').then((r) => r.rowCount)).toBe(0)
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
