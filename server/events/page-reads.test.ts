import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventKinds } from '#contract/events.ts'
import type { Db } from '../platform/database/database.ts'
import { toReadStatement } from '../platform/database/read-statement.ts'
import { addLine } from '../testing/add-line.ts'
import { runOnce } from '../testing/database.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { formatCursor } from './event-cursor.ts'
import { buildFleetEventsQuery, buildLineEventsQuery, type EventRow } from './select-events.ts'

const PAGE = 51
const EVENTS = 10_000
/** How many a tenant had when statistics were last gathered, in a table that others fill. */
const KNOWN_EVENTS = [0, 50, 300, EVENTS]

const first = { before: undefined, after: undefined, at: undefined, kinds: eventKinds, limit: PAGE, seesPools: true }

interface Line {
  id: number
  terminalIds: number[]
}

let server: TestServer
const lines = new Map<string, Line>()

/** Events of three kinds; rows of the tenants are mixed in the table, as they arrive. */
const insertEvents = (tenants: readonly string[], from: number, until: number) =>
  runOnce(
    server.superuser,
    `insert into events (tenant_id, kind, type, at, noted_at, service_line_id, group_name, details)
     select tenant, (array['alert', 'status', 'command'])[1 + n % 3], 'terminal.alert_raised', now(),
       now() - n * interval '1 second', line, 'north', '{}'
     from generate_series(${from + 1}, ${until}) as n,
       (values ${tenants.map((tenant) => `('${tenant}', ${lines.get(tenant)?.id})`).join()}) as owner (tenant, line)
     order by n`,
  )

/** A page, and the rows of events that the query reads. Counts of earlier transactions of the connection may be left over. */
const countReads = async (db: Db, client: pg.PoolClient, query: RawBuilder<EventRow>) => {
  const count = async () => {
    const { rows } = await sql<{ count: number }>`
      select seq_tup_read + idx_tup_fetch as count from pg_stat_xact_user_tables where relname = 'events'`.execute(db)
    return rows[0]?.count ?? 0
  }
  const before = await count()
  const { rows } = await client.query<EventRow>(toReadStatement(query))
  return { rows, reads: (await count()) - before }
}

beforeAll(async () => {
  server = await startTestServer()
  await runOnce(server.superuser, "insert into tenants (id) values ('c')")
  for (const tenantId of ['a', 'b', 'c'])
    await server.database.transaction({ tenantId }, async (db) => {
      const { lineId, terminalIds } = await addLine(db, tenantId, { service_line_number: 'SL', group_name: 'north' })
      lines.set(tenantId, { id: lineId, terminalIds })
    })
  await runOnce(server.superuser, 'alter table events set (autovacuum_enabled = off)')
})
afterAll(() => server.close())

test.each(KNOWN_EVENTS)(
  'a page reads no more than it has of each kind, with statistics of %i events',
  async (known) => {
    await runOnce(server.superuser, 'truncate events')
    await insertEvents(['b', 'c'], 0, EVENTS)
    await insertEvents(['a', 'b', 'c'], EVENTS, EVENTS + known)
    await runOnce(server.superuser, 'analyze events')
    await insertEvents(['a', 'b', 'c'], EVENTS + known, EVENTS + EVENTS)
    for (const plan of ['force_custom_plan', 'force_generic_plan'])
      for (const group of [undefined, 'north'])
        await server.database.transaction({ tenantId: 'a', group }, async (db, client) => {
          await client.query(`set local plan_cache_mode = ${plan}`)
          for (const before of [undefined, formatCursor({ notedAt: new Date(Date.now() - EVENTS * 1500), id: 1 })]) {
            const query = buildFleetEventsQuery('a', group, { ...first, before })
            const { rows, reads } = await countReads(db, client, query)
            expect(rows).toHaveLength(PAGE)
            expect(reads).toBeLessThanOrEqual(PAGE * eventKinds.length)
          }
          const query = buildLineEventsQuery('a', group, lines.get('a') as Line, first)
          const { rows, reads } = await countReads(db, client, query)
          expect(rows).toHaveLength(PAGE)
          expect(reads).toBeLessThanOrEqual(PAGE)
        })
  },
)
