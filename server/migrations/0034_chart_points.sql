-- What a chart draws of a bucket, ready as the bytes that leave the database: when, then of each measure the average, then
-- the lowest of each, then the highest; not a number where no sample has it. Making them for each reader anew takes longer
-- than all else about a chart.
do $$
declare
  tier text;
  measures text[] := array['downlink', 'uplink', 'latency', 'ping_drop', 'signal_quality', 'obstruction'];
  points text := 'timestamptz_send(at)';
begin
  set local maintenance_work_mem = '512MB';
  for place in 1 .. 6 loop
    points := points || format(
      $value$ || float4send(coalesce((%I / nullif(coalesce(told[%s], n), 0))::real, 'NaN'))$value$, measures[place] || '_sum', place);
  end loop;
  for place in 1 .. 6 loop
    points := points || format($value$ || float4send(coalesce(%I, 'NaN'))$value$, measures[place] || '_min');
  end loop;
  for place in 1 .. 6 loop
    points := points || format($value$ || float4send(coalesce(%I, 'NaN'))$value$, measures[place] || '_max');
  end loop;
  foreach tier in array array['tier_2min', 'tier_15min', 'tier_1h', 'tier_2h'] loop
    execute format(
      'alter table %I drop constraint %I, add column chart bytea generated always as (%s) stored,
         add primary key (terminal_id, at) include (tenant_id, chart)',
      tier, tier || '_pkey', points);
  end loop;
end $$;
