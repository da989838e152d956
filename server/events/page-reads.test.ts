import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { eventKinds } from '#contract/events.ts'
import { addLine } from '../testing/add-line.ts'
import { runOnce } from '../testing/database.ts'
import { startTestServer } from '../testing/server.ts'
import { selectFleetEvents } from './select-events.ts'

const EVENTS = 8_000
const PAGE = 51

const server = await startTestServer()
afterAll(() => server.close())

test.each([undefined, 'north'])('a page of the group %s reads no more than a page of each kind', async (group) => {
  await server.database.transaction({ tenantId: 'a' }, async (db) => {
    const { lineId } = await addLine(db, 'a', { service_line_number: `SL-${group}`, group_name: 'north' })
    await sql`
      insert into events (tenant_id, kind, type, at, noted_at, service_line_id, group_name, details)
      select 'a', 'alert', 'terminal.alert_raised', now(), now() - n * interval '1 second', ${lineId}, 'north', '{}'
      from generate_series(1, ${EVENTS}::integer) as n`.execute(db)
  })
  await runOnce(server.superuser, 'analyze events')
  await server.database.transaction({ tenantId: 'a', group }, async (db) => {
    const selection = { before: undefined, after: undefined, at: undefined, seesPools: true }
    const rows = await selectFleetEvents(db, 'a', group, { ...selection, kinds: eventKinds, limit: PAGE })
    expect(rows).toHaveLength(PAGE)
    const { rows: reads } = await sql<{ count: number }>`
      select seq_tup_read + idx_tup_fetch as count from pg_stat_xact_user_tables where relname = 'events'`.execute(db)
    expect(reads[0]?.count).toBeLessThanOrEqual(PAGE * eventKinds.length)
  })
})
