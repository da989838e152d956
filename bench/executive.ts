import { request } from 'node:http'
import { sql } from 'kysely'
import { openDatabase } from '#server/platform/database/database.ts'
import { withDatabase } from './database.ts'
import type { Bench, Figure } from './figures.ts'
import { type FleetStack, openFleetStack } from './fleet-stack.ts'
import { findMedian } from './median.ts'

const SIZES = [10_000, 100_000]
const CALLS = 3
/** For a fleet of 10,000 terminals. */
const MAX_MS = 300

// Half a year of days and billing cycles of each line, a fifth of the lines in pools, three products, a hundred customers.
const USAGE = [
  `update service_lines set group_name = 'customer ' || id % 100, product_id = 'product ' || id % 3,
     account_group = (array['Canadian Pool Local', 'US Pool Global', 'US Local Pool', 'Dishboard'])[1 + id % 4]
   where tenant_id = $1`,
  `insert into vendor_products (tenant_id, credential_id, product_id, name, price_cents, currency)
   select tenant_id, id, 'product ' || n, 'Priority ' || n, 10000 + n, 'USD' from vendor_credentials, generate_series(0, 2) as n
   where tenant_id = $1`,
  `insert into pools (tenant_id, name, over_limit_behavior, usage_limit_gb, next_usage_limit_gb, anchor_day, cycle_start,
     cycle_end, created_at)
   select $1, 'Pool ' || n, 'Soft Cap', 50000, 50000, 1, date_trunc('month', now()), date_trunc('month', now() + interval '1 month'), now()
   from generate_series(1, 20) as n`,
  `insert into pool_lines (tenant_id, service_line_id, pool_id)
   select $1, line.id, pool.id from service_lines as line join pools as pool on pool.tenant_id = $1 and pool.name = 'Pool ' || 1 + line.id / 5 % 20
   where line.tenant_id = $1 and line.id % 5 = 0`,
  `insert into line_usage (tenant_id, service_line_id, cycle_start, cycle_end, priority_gb, standard_gb, opt_in_priority_gb,
     non_billable_gb, usage_limit_gb)
   select $1, id, month, month + interval '1 month', id % 50, id % 30, 0, 0, 50 from service_lines,
     generate_series(date_trunc('month', now()) - interval '6 months', date_trunc('month', now()), interval '1 month') as month
   where tenant_id = $1 on conflict do nothing`,
  // The figures are current, so that the previous cycle is read up to the same day.
  `insert into vendor_feeds (tenant_id, credential_id, feed, last_success_at)
   select tenant_id, id, 'usage', now() from vendor_credentials where tenant_id = $1`,
  `insert into daily_usage (tenant_id, service_line_id, day, priority_gb, standard_gb, opt_in_priority_gb, non_billable_gb)
   select $1, id, day, id % 7, id % 3, 0, 0 from service_lines,
     generate_series(date_trunc('month', now()) - interval '5 months', now(), interval '1 day') as day
   where tenant_id = $1`,
]

const fill = async ({ addFleet, database }: FleetStack, tenantId: string, size: number) => {
  await addFleet(tenantId, size)
  await database.transaction({ tenantId }, async (_, client) => {
    await client.query('set local statement_timeout = 0')
    for (const statement of USAGE) await client.query(statement, [tenantId])
  })
}

/** With the headers of a browser, so that responses are compressed. */
const get = (url: string, headers: Record<string, string>) =>
  new Promise<number>((resolve, reject) => {
    request(url, { headers: { ...headers, 'accept-encoding': 'gzip, br, zstd' } }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode as number))
    })
      .on('error', reject)
      .end()
  })

const measure = async (stack: FleetStack, size: number, analyze: () => Promise<unknown>): Promise<Figure[]> => {
  const tenantId = `executive${size}`
  await fill(stack, tenantId, size)
  // Like autovacuum some time after so many inserts.
  await analyze()
  const { access } = await stack.signIn(tenantId)
  const time = async (path: string) => {
    const status = await get(`${stack.url}/api${path}`, { authorization: `Bearer ${access}`, 'x-tenant': tenantId })
    if (status !== 200) throw new Error(`${path} returned ${status}.`)
    return stack.lastServerMs()
  }
  const named = (name: string) => `${size.toLocaleString('en-US')}: ${name}`
  const limit = size === 10_000 ? { atMost: MAX_MS } : {}
  const first = await time('/executive-months/')
  const cached = await time('/executive-months/')
  const plans: number[] = []
  for (let call = 0; call < CALLS; call++) plans.push(await time('/executive-summary/'))
  return [
    { name: named('figures of six months, first'), value: first, unit: 'ms', ...limit },
    { name: named('the same within ten minutes'), value: cached, unit: 'ms' },
    { name: named('plans with their lines, median'), value: findMedian(plans), unit: 'ms', ...limit },
  ]
}

/** Server time of the calls of the executive dashboard. */
export const measureExecutive: Bench = (sizes) =>
  withDatabase(async (connections) => {
    const stack = await openFleetStack(connections)
    const owner = openDatabase(connections.owner, () => {})
    const analyze = () => sql`analyze`.execute(owner.outsideTenants)
    try {
      const figures: Figure[] = []
      for (const size of sizes.length > 0 ? sizes : SIZES) figures.push(...(await measure(stack, size, analyze)))
      return figures
    } finally {
      await owner.close()
      await stack.close()
    }
  })
