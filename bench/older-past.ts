import type { FleetStack } from './fleet-stack.ts'

const DAYS = 5

/**
 * The same fleet five days ago: values in a tier, a report a day, every second terminal with another status since, and every
 * twentieth line and terminal changed since.
 */
const STATEMENTS = [
  `update vendor_credentials set created_at = now() - interval '40 days' where tenant_id = $1`,
  `insert into fact_versions (tenant_id, kind, subject_id, known_at, facts)
   select tenant_id, kind, subject_id, known_at - interval '30 days', facts from fact_versions where tenant_id = $1
   on conflict do nothing`,
  `delete from fact_versions where tenant_id = $1 and kind in ('line', 'terminal') and subject_id % 20 <> 0
     and known_at > now() - interval '1 day'`,
  `insert into fact_versions (tenant_id, kind, subject_id, known_at, facts)
   select $1, 'report', latest.terminal_id, now() - day * interval '1 day',
     jsonb_build_object('at', latest.at - day * interval '1 day', 'alerts', latest.alerts, 'h3_cell', latest.h3_cell)
   from latest, generate_series(1, 10) as day where latest.tenant_id = $1 on conflict do nothing`,
  `insert into status_intervals (tenant_id, terminal_id, started_at, ended_at, noted_at, status)
   select tenant_id, terminal_id, now() - interval '30 days', started_at, now() - interval '30 days', 'online'
   from status_intervals where tenant_id = $1 and terminal_id % 2 = 0`,
  `update status_intervals set started_at = now() - interval '30 days', noted_at = now() - interval '30 days'
   where tenant_id = $1 and terminal_id % 2 = 1`,
  `insert into feed_coverage (tenant_id, credential_id, day, observed)
   select $1, id, (now() at time zone 'UTC')::date - n, tstzmultirange(tstzrange(now() - (n + 1) * interval '1 day', now() - n * interval '1 day'))
   from vendor_credentials, generate_series(${DAYS - 1}, ${DAYS + 2}) as n where tenant_id = $1 on conflict do nothing`,
  `select ensure_tier_partition('tier_15min', day::date)
   from unnest(array[now() - interval '${DAYS} days 2 hours', now() - interval '${DAYS} days']) as day`,
  `insert into tier_15min (tenant_id, terminal_id, at, n, downlink_last, uplink_last, latency_last, alerts)
   select $1, id, date_bin('15 minutes', now() - interval '${DAYS} days', '2000-01-01') - each * interval '15 minutes', 60,
     id % 200, id % 20, id % 60, '{}'
   from terminals, generate_series(1, 8) as each where tenant_id = $1 and id % 10 > 0`,
]

/** Adds a past to a fleet. Returns a time in it. */
export const addOlderPast = async ({ database }: FleetStack, tenantId: string, analyze: () => Promise<unknown>) => {
  await database.transaction({ tenantId }, async (_, client) => {
    await client.query('set local statement_timeout = 0')
    for (const statement of STATEMENTS) await client.query(statement, statement.includes('$1') ? [tenantId] : [])
  })
  // Like autovacuum some time after so many inserts.
  await analyze()
  return Date.now() - DAYS * 86_400_000
}
