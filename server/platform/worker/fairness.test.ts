import { expect, test } from 'vitest'
import { retry, setupWorkers, until, untilAborted } from './testing/setup-workers.ts'

const { query, request, work } = setupWorkers()

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
