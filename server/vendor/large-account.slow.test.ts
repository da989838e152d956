import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startSimulator } from '#simulator/server.ts'
import { createStarlinkClient } from '#starlink/client.ts'
import { createRequestBudget } from '#starlink/request-budget.ts'
import { isInventoryComplete } from '../telemetry/feed-state.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { connectVendor } from './credentials.ts'
import { syncInventory } from './sync-inventory.ts'
import { secrets } from './testing/two-accounts.ts'

const PAGE_ITEMS = 100
const SMALL = 3_000
const LARGE = 12_000

let db: TestDatabase
let superuser: pg.Pool
const accounts = [
  { tenantId: 'small', clientId: 'small', clientSecret: 's', terminals: SMALL },
  { tenantId: 'large', clientId: 'large', clientSecret: 'l', terminals: LARGE },
  { tenantId: 'cut', clientId: 'cut', clientSecret: 'c', terminals: 1_000 },
]
type TenantId = (typeof accounts)[number]['tenantId']
let simulator: Awaited<ReturnType<typeof startSimulator>>
const credentialIds = new Map<string, number>()

beforeAll(async () => {
  db = await createTestDatabase()
  superuser = new pg.Pool({ ...db.superuser, max: 1 })
  // The vendor's clock runs ahead, so that its rate limit is not what is tested.
  let vendorMs = Date.now()
  simulator = await startSimulator({
    accounts,
    now: () => {
      vendorMs += 300
      return vendorMs
    },
  })
  for (const { tenantId, clientId, clientSecret } of accounts) {
    await superuser.query('insert into tenants (id) values ($1)', [tenantId])
    const credential = { tenantId, clientId, clientSecret, baseUrl: simulator.url, tokenUrl: simulator.tokenUrl }
    const id = await db.database.transaction({ tenantId }, (rows) => connectVendor(rows, secrets, credential))
    credentialIds.set(tenantId, id)
  }
})
afterAll(async () => {
  await simulator.close()
  await superuser.end()
  await db.close()
})

const buildOptions = (
  tenantId: TenantId,
  { signal, onRequest }: { signal?: AbortSignal; onRequest?: () => void } = {},
) => {
  const { clientId, clientSecret } = accounts.find((each) => each.tenantId === tenantId) as (typeof accounts)[number]
  const client = createStarlinkClient({
    clientId,
    clientSecret,
    baseUrl: simulator.url,
    tokenUrl: simulator.tokenUrl,
    budget: createRequestBudget({ perMinute: 1_000_000, now: Date.now }),
    ...(signal && { signal }),
    ...(onRequest && { onRequest }),
  })
  return { database: db.database, client, tenantId, credentialId: credentialIds.get(tenantId) as number, now: Date.now }
}

const count = async (tenantId: TenantId, table: 'service_lines' | 'terminals' | 'routers', where = 'true') => {
  const { rows } = await superuser.query(
    `select count(*)::int as count from ${table} where tenant_id = $1 and ${where}`,
    [tenantId],
  )
  return rows[0].count as number
}

interface Statement {
  text: string
  values: unknown[]
}

/** The inserts of a first inventory sync, and its duration. */
const watchSync = async (tenantId: TenantId) => {
  const inserts: Statement[] = []
  const { query } = pg.Client.prototype
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    const [first, second] = given as [string | { text: string; values?: unknown[] }, unknown[] | undefined]
    const text = typeof first === 'string' ? first : first.text
    if (/insert into (service_lines|terminals|routers)/.test(text))
      inserts.push({ text, values: second ?? (typeof first === 'string' ? [] : (first.values ?? [])) })
    return Reflect.apply(query, this, given)
  } as never)
  const startedMs = performance.now()
  await syncInventory(buildOptions(tenantId))
  const ms = performance.now() - startedMs
  spy.mockRestore()
  return { inserts, ms }
}

const countListed = ({ values }: Statement) => {
  const json = values.find((value) => typeof value === 'string' && value.startsWith('['))
  return (JSON.parse(json as string) as unknown[]).length
}

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Join Type'?: string
  Plans?: Plan[]
}
const flatten = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)]

const explain = ({ text, values }: Statement, tenantId: TenantId) =>
  db.database.transaction({ tenantId }, async (_, client) => {
    const { rows } = await client.query({ text: `explain (format json) ${text}`, values })
    return flatten(rows[0]['QUERY PLAN'][0].Plan as Plan)
  })

test('a first inventory takes one statement a page, each of which looks its rows up by index', async () => {
  const small = await watchSync('small')
  const large = await watchSync('large')
  for (const [tenantId, terminals] of [
    ['small', SMALL],
    ['large', LARGE],
  ] as const) {
    expect(await count(tenantId, 'terminals')).toBe(terminals)
    expect(await count(tenantId, 'routers')).toBeGreaterThan(terminals / 2)
  }
  const perRow = (ms: number, rows: number) => ((ms * 1000) / rows).toFixed(0)
  console.log(
    `first inventory: ${SMALL} rows ${small.ms.toFixed(0)} ms (${perRow(small.ms, SMALL)} µs a row), ${LARGE} rows ${large.ms.toFixed(0)} ms (${perRow(large.ms, LARGE)} µs a row), ratio ${(large.ms / small.ms).toFixed(2)} for 4 times the rows`,
  )
  const pages = (rows: number) => Math.ceil(rows / PAGE_ITEMS)
  const lines = await Promise.all([count('small', 'service_lines'), count('large', 'service_lines')])
  expect(small.inserts).toHaveLength(2 * pages(SMALL) + pages(lines[0]))
  expect(large.inserts).toHaveLength(2 * pages(LARGE) + pages(lines[1]))
  for (const statement of large.inserts) {
    // A terminal may have several routers.
    expect(countListed(statement)).toBeLessThanOrEqual(
      statement.text.includes('insert into routers') ? 400 : PAGE_ITEMS,
    )
  }
  for (const table of ['service_lines', 'terminals', 'routers']) {
    const last = large.inserts.findLast(({ text }) => text.includes(`insert into ${table}`)) as Statement
    const nodes = await explain(last, 'large')
    const scans = nodes.filter(({ 'Node Type': type }) => type.includes('Scan') && type.startsWith('Seq'))
    expect([table, scans]).toEqual([table, []])
    expect(nodes.map((node) => node['Join Type'])).not.toContain('Anti')
  }
})

test('a read that is cut off resumes at its page, shows what it has, and removes nothing until all pages were read', async () => {
  const tenantId = 'cut'
  const scope = { tenantId, credentialId: credentialIds.get(tenantId) as number }
  const isComplete = () => db.database.transaction({ tenantId }, (rows) => isInventoryComplete(rows, scope))
  const process = new AbortController()
  let requests = 0
  const stopsAt = (most: number) => () => {
    if (++requests === most) process.abort()
  }
  // The account, the products, and a page of lines with its addresses, each in turn.
  await expect(
    syncInventory(buildOptions(tenantId, { signal: process.signal, onRequest: stopsAt(2 + 2 * 4) })),
  ).rejects.toThrow()
  expect(await count(tenantId, 'service_lines')).toBeGreaterThanOrEqual(300)
  expect(await count(tenantId, 'service_lines')).toBeLessThan(500)
  expect(await isComplete()).toBe(false)

  const [gone] = (await superuser.query("select id from service_lines where tenant_id = 'cut' limit 1")).rows
  await superuser.query(
    "update service_lines set service_line_number = 'SL-GONE' where tenant_id = 'cut' and id = $1",
    [gone.id],
  )
  requests = 0
  await syncInventory(buildOptions(tenantId, { onRequest: stopsAt(0) }))
  const resumed = requests
  expect(await isComplete()).toBe(true)
  expect(await count(tenantId, 'terminals')).toBe(1_000)
  expect(await count(tenantId, 'service_lines', 'removed_at is not null')).toBe(0)

  requests = 0
  await syncInventory(buildOptions(tenantId, { onRequest: stopsAt(0) }))
  expect(resumed).toBeLessThan(requests)
  expect(await count(tenantId, 'service_lines', "removed_at is not null and service_line_number = 'SL-GONE'")).toBe(1)
  expect(await count(tenantId, 'service_lines', 'removed_at is null')).toBe(
    simulator.fleet.accounts[2]?.lines.length as number,
  )
})
