import { expect, test } from 'vitest'
import type { Queue } from './queues.ts'
import { retry, setupWorkers, until, untilAborted } from './testing/setup-workers.ts'

const { open, query, request, work } = setupWorkers()

test('a thousand jobs of one tenant do not delay the single job of another', async () => {
  const order: string[] = []
  const tenants = ['a', 'b']
  await query(
    `insert into jobs (queue, tenant_id, subject, due_at)
     select 'mail', 'a', number::text, now() - interval '1 hour' from generate_series(1, 1000) as number`,
  )
  await query("insert into jobs (queue, tenant_id, due_at) values ('mail', 'b', now() - interval '1 minute')")
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
  const gate = Promise.withResolvers<void>()
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

test('more jobs than one claim takes all run, though none of them ends', async () => {
  const started = new Set<string>()
  await query(
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
