import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabaseBefore, type DatabaseBefore } from '../testing/database-before.ts'

let target: DatabaseBefore
beforeAll(async () => {
  target = await createDatabaseBefore('0140_newest_from_history')
})
afterAll(() => target.close())

test('terminals with stored telemetry get their newest values and status, and others stay unseen', async () => {
  const { client } = target
  for (const day of [0, 1, 2, 3]) {
    await client.query(`select ensure_sample_partition((now() at time zone 'UTC')::date - $1::int)`, [day])
    await client.query(`select ensure_tier_partition('tier_1h', (now() at time zone 'UTC')::date - $1::int)`, [day])
  }
  for (const tenant of ['a', 'b']) {
    await client.query('insert into tenants (id) values ($1)', [tenant])
    await client.query(
      `insert into vendor_credentials (tenant_id, base_url, token_url, client_id, client_secret)
       values ($1, 'http://127.0.0.1:9/', 'http://127.0.0.1:9/', 'x', '\\x00')`,
      [tenant],
    )
    await client.query(
      `insert into terminals (tenant_id, credential_id, device_id)
       select tenant_id, id, device from vendor_credentials, unnest(array['hour', 'days', 'never', 'known']) as device
       where tenant_id = $1`,
      [tenant],
    )
  }
  await client.query(
    `insert into samples (tenant_id, terminal_id, at, downlink_mbps)
     select tenant_id, id, now() - interval '1 hour', 5 from terminals where device_id = 'hour'`,
  )
  await client.query(
    `insert into tier_1h (tenant_id, terminal_id, at, n, downlink_last, alerts)
     select tenant_id, id, now() - interval '2 days', 3, 7, array['disabled_no_active_account'] from terminals
     where device_id = 'days'`,
  )
  await client.query(
    `insert into latest (tenant_id, terminal_id, at, downlink_mbps)
     select tenant_id, id, now() - interval '5 days', 9 from terminals where device_id = 'known'`,
  )
  await target.migrate()
  const { rows } = await client.query(
    `select terminals.tenant_id, device_id, downlink_mbps, status, disabled,
       round(extract(epoch from now() - at) / 3600)::int as age_h,
       round(extract(epoch from now() - started_at) / 3600)::int as since_h
     from terminals left join latest on latest.terminal_id = terminals.id
     left join status_intervals on status_intervals.terminal_id = terminals.id and ended_at is null
     order by 1, terminals.id`,
  )
  const unknown = { status: null, disabled: null, since_h: null }
  expect(rows).toEqual(
    ['a', 'b'].flatMap((tenant_id) => [
      { tenant_id, device_id: 'hour', downlink_mbps: 5, status: 'offline', disabled: false, age_h: 1, since_h: 1 },
      { tenant_id, device_id: 'days', downlink_mbps: 7, status: 'no data', disabled: true, age_h: 48, since_h: 24 },
      { tenant_id, device_id: 'never', downlink_mbps: null, age_h: null, ...unknown },
      { tenant_id, device_id: 'known', downlink_mbps: 9, age_h: 120, ...unknown },
    ]),
  )
  const { rows: unforced } = await client.query(
    `select relname from pg_class where relname in ('terminals', 'samples', 'tier_1h', 'latest', 'status_intervals')
     and not relforcerowsecurity`,
  )
  expect(unforced).toEqual([])
})
