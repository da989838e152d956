import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFeed, feedLimits } from '../telemetry/feed.ts'
import { ingestBatch } from '../telemetry/ingest-batch.ts'
import { compressBody, findPendingBatch, storeRawBatch } from '../telemetry/raw-batches.ts'
import { createWarnOnce } from '../telemetry/warn-once.ts'
import { syncInventory } from './sync-inventory.ts'
import { syncUsage } from './sync-usage.ts'
import { createTwoAccounts, type TwoAccounts } from './testing/two-accounts.ts'

const TERMINALS = 1_000
const MANY_ROWS = 300

let vendor: TwoAccounts
beforeAll(async () => {
  vendor = await createTwoAccounts({ terminals: TERMINALS })
})
afterAll(() => vendor.close())

const receiveTelemetry = async ({ tenantId, credentialId, client, database, now }: TwoAccounts['alpha']) => {
  const feed = createFeed({ tenantId, credentialId, database, limits: feedLimits, now, log: vendor.log })
  const packedBody = await compressBody(await client.streamTelemetry({ batchSize: 65_000, maxLingerMs: 0 }))
  const receivedAt = new Date(now())
  await database.transaction({ tenantId }, (db) =>
    storeRawBatch(db, { tenantId, credentialId, kind: 'stream', packedBody, receivedAt }),
  )
  const findWaiting = () => database.transaction({ tenantId }, (db) => findPendingBatch(db, feed))
  for (let raw = await findWaiting(); raw; raw = await findWaiting()) await ingestBatch(feed, raw)
}

const receiveAll = async (account: TwoAccounts['alpha']) => {
  await syncInventory(account)
  await syncUsage({ ...account, warnOnce: createWarnOnce(vendor.log), previousBillingCycles: 1 })
  vendor.clock.nowMs += 60_000
  await receiveTelemetry(account)
}

const listTenantTables = async () => {
  const { rows } = await vendor.superuser.query<{ name: string }>(`
    select relname as name from pg_class
    join pg_attribute on attrelid = pg_class.oid and attname = 'tenant_id'
    where relkind = 'r' and not relispartition and relnamespace = 'public'::regnamespace order by relname`)
  return rows.map(({ name }) => name)
}

const countRows = async (name: string, tenantId: string) => {
  const { rows } = await vendor.superuser.query(`select count(*)::int as count from ${name} where tenant_id = $1`, [
    tenantId,
  ])
  return rows[0].count as number
}

const readExpectedRows = async (name: string, tenantId: string) => {
  const { rows } = await vendor.superuser.query(
    `explain (format json) select from ${name} where tenant_id = '${tenantId}'`,
  )
  return rows[0]['QUERY PLAN'][0].Plan['Plan Rows'] as number
}

test('PostgreSQL expects the rows of an account as soon as they are stored, although statistics know only others', async () => {
  const tables = await listTenantTables()
  for (const name of tables) await vendor.superuser.query(`alter table ${name} set (autovacuum_enabled = off)`)
  await receiveAll(vendor.alpha)
  await vendor.superuser.query('analyze')
  await receiveAll(vendor.beta)
  const large = []
  for (const name of tables) {
    const rows = await countRows(name, 'beta')
    if (rows >= MANY_ROWS) large.push({ name, rows, expected: await readExpectedRows(name, 'beta') })
  }
  expect(large.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'daily_usage',
      'latest',
      'monthly_usage',
      'service_lines',
      'status_intervals',
      'terminals',
    ]),
  )
  expect(large.filter(({ rows, expected }) => expected < rows / 10)).toEqual([])
})
