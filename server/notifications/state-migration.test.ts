import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabaseBefore, type DatabaseBefore } from '../testing/database-before.ts'
import { plan } from './plan.ts'
import { emptyState } from './plan-state.ts'

const MINUTE_MS = 60_000

let target: DatabaseBefore
beforeAll(async () => {
  target = await createDatabaseBefore('0077_notification_state_words')
})
afterAll(() => target.close())

const rules = {
  statusChanges: true,
  dataUsage: true,
  warnings: true,
  lineIds: new Set([1, 2]),
  settlingMs: 5 * MINUTE_MS,
  quiet: undefined,
  dailyLimit: undefined,
  findMaintenanceEnd: () => null,
}
const current = plan(
  emptyState(),
  [
    { kind: 'status', knownAtMs: 0, terminalId: 1, lineId: 1, after: 'offline', sinceMs: 0 },
    { kind: 'status', knownAtMs: 0, terminalId: 2, lineId: 2, after: 'no data', sinceMs: 0 },
  ],
  rules,
  60 * MINUTE_MS,
).state

test('gives the stored states of every tenant the keys of today', async () => {
  const older = await readFile(new URL('./testing/state-of-0061.json', import.meta.url), 'utf8')
  const { client } = target
  for (const tenant of ['a', 'b']) {
    const userId = await target.addTenant(tenant)
    await client.query("insert into notification_states values ($1, $2, 'email', now(), $3)", [tenant, userId, older])
  }
  await target.migrateAll()
  const { rows } = await client.query('select tenant_id, state from notification_states order by 1')
  expect(rows).toEqual(['a', 'b'].map((tenant_id) => ({ tenant_id, state: current })))
})
