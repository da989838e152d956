import { expect, test } from 'vitest'
import { createDatabaseBefore } from '../testing/database-before.ts'

/** A line of each of two customers, lost in one incident; and events of the lines and of a pool of the north. */
const BEFORE = `
  insert into tenants (id) values ('a');
  insert into vendor_credentials (tenant_id, base_url, token_url, client_id, client_secret) values ('a', '-', '-', '-', '\\x00');
  insert into service_lines (tenant_id, credential_id, service_line_number, nickname, group_name, account_group, active, public_ip)
  select 'a', id, name, name, name, 'Dishboard', true, false from vendor_credentials, unnest(array['north', 'south']) as name;
  insert into terminals (tenant_id, credential_id, service_line_id, device_id)
  select tenant_id, credential_id, id, nickname from service_lines;
  insert into incidents (tenant_id, id, cause, reach, confidence, started_at, opened_at, terminal_count, evidence)
  values ('a', gen_random_uuid(), 'network', 'area', 1, now(), now(), 2, '{}');
  insert into terminal_losses (tenant_id, terminal_id, lost_at, disabled, facts, incident_id)
  select terminal.tenant_id, terminal.id, now(), false, '{}', incident.id from terminals as terminal, incidents as incident;
  insert into pools (tenant_id, name, group_name, over_limit_behavior, usage_limit_gb, next_usage_limit_gb, anchor_day, cycle_start,
    cycle_end, created_at)
  values ('a', 'Harbors', 'north', 'Soft Cap', 1, 1, 1, current_date, current_date + 1, now());
  insert into events (tenant_id, kind, type, at, service_line_id, details)
  select tenant_id, 'status', 'terminal.status_changed', now(), id, '{}' from service_lines;
  insert into events (tenant_id, kind, type, at, incident_id, details)
  select tenant_id, 'incident', 'incident.opened', now(), id, '{}' from incidents;
  insert into events (tenant_id, kind, type, at, pool_id, details)
  select tenant_id, 'pool', 'pool.created', now(), id, '{}' from pools;`

test('events from before they had a group get those of their lines, pools and incidents', async () => {
  const older = await createDatabaseBefore('0450_event_groups')
  try {
    await older.client.query(BEFORE)
    expect(await older.migrate()).toEqual(['0450_event_groups'])
    const { rows } = await older.client.query(
      "select kind || ' ' || coalesce(group_name, 'everything') as event from events where noted_at is not null order by 1",
    )
    expect(rows.map(({ event }) => event)).toEqual([
      'incident everything',
      'incident north',
      'incident south',
      'pool north',
      'status north',
      'status south',
    ])
  } finally {
    await older.close()
  }
})
