-- History was written without the newest values and the status of its terminals. They follow from what is stored: the
-- newest sample, or else the newest bucket of a tier.
do $$
declare
  name text;
begin
  foreach name in array array['terminals', 'samples', 'tier_2min', 'tier_15min', 'tier_1h', 'tier_2h', 'latest', 'status_intervals'] loop
    execute format('alter table %I no force row level security', name);
  end loop;
end $$;

create temp table found_newest on commit drop as
select terminal.tenant_id, terminal.id as terminal_id, found.*
from terminals as terminal
cross join lateral (
  select held.* from (
    (select at, downlink_mbps, uplink_mbps, latency_ms, ping_drop, obstruction, signal_quality, uptime_s, alerts
     from samples where terminal_id = terminal.id order by at desc limit 1)
    union all
    (select at, downlink_last, uplink_last, latency_last, ping_drop_last, obstruction_last, signal_quality_last, null, alerts
     from tier_2min where terminal_id = terminal.id order by at desc limit 1)
    union all
    (select at, downlink_last, uplink_last, latency_last, ping_drop_last, obstruction_last, signal_quality_last, null, alerts
     from tier_15min where terminal_id = terminal.id order by at desc limit 1)
    union all
    (select at, downlink_last, uplink_last, latency_last, ping_drop_last, obstruction_last, signal_quality_last, null, alerts
     from tier_1h where terminal_id = terminal.id order by at desc limit 1)
    union all
    (select at, downlink_last, uplink_last, latency_last, ping_drop_last, obstruction_last, signal_quality_last, null, alerts
     from tier_2h where terminal_id = terminal.id order by at desc limit 1)
  ) as held
  order by held.at desc
  limit 1
) as found
where not exists (select from latest where latest.tenant_id = terminal.tenant_id and latest.terminal_id = terminal.id)
  and not exists (select from status_intervals as known
    where known.tenant_id = terminal.tenant_id and known.terminal_id = terminal.id);

insert into latest (tenant_id, terminal_id, at, last_response_at, downlink_mbps, uplink_mbps, latency_ms, ping_drop,
  obstruction, signal_quality, uptime_s, alerts)
select tenant_id, terminal_id, at, at, downlink_mbps, uplink_mbps, latency_ms, ping_drop, obstruction, signal_quality,
  uptime_s, coalesce(alerts, '{}')
from found_newest;

-- A terminal is offline after three minutes of silence and has no data after a day.
insert into status_intervals (tenant_id, terminal_id, started_at, ended_at, status, disabled, noted_at)
select found.tenant_id, found.terminal_id, past.started_at, past.ended_at, past.status,
  coalesce((select bool_or(alert = 'disabled' or alert like 'disabled\_%') from unnest(found.alerts) as alert), false),
  past.started_at
from found_newest as found
cross join lateral (values
  ('online', found.at, case when now() - found.at >= interval '3 minutes' then found.at + interval '15 seconds' end),
  ('offline', found.at + interval '15 seconds', case when now() - found.at >= interval '1 day' then found.at + interval '1 day' end),
  ('no data', found.at + interval '1 day', null)
) as past (status, started_at, ended_at)
where past.status = 'online'
  or (past.status = 'offline' and now() - found.at >= interval '3 minutes')
  or (past.status = 'no data' and now() - found.at >= interval '1 day');

do $$
declare
  name text;
begin
  foreach name in array array['terminals', 'samples', 'tier_2min', 'tier_15min', 'tier_1h', 'tier_2h', 'latest', 'status_intervals'] loop
    execute format('alter table %I force row level security', name);
  end loop;
end $$;
