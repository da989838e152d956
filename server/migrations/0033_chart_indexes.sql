-- A terminal's buckets of a period lie on as many pages as there are buckets, because each bucket is written with those of
-- all other terminals. So the key holds what charts draw: there they lie side by side, and the table itself is not read.
do $$
declare
  tier text;
begin
  set local maintenance_work_mem = '512MB';
  foreach tier in array array['tier_2min', 'tier_15min', 'tier_1h', 'tier_2h'] loop
    execute format('alter table %I drop constraint %I', tier, tier || '_pkey');
    execute format($key$
      alter table %I add primary key (terminal_id, at) include (
        tenant_id, n, told,
        downlink_min, downlink_max, downlink_sum,
        uplink_min, uplink_max, uplink_sum,
        latency_min, latency_max, latency_sum,
        ping_drop_min, ping_drop_max, ping_drop_sum,
        signal_quality_min, signal_quality_max, signal_quality_sum,
        obstruction_min, obstruction_max, obstruction_sum)$key$, tier);
  end loop;
end $$;

-- A key alone is read only where a page is known to hold nothing that others cannot see, which vacuuming finds out: by
-- default not before a fifth of the table is new.
create procedure vacuum_new_rows_soon(partition regclass) language plpgsql as $$
begin
  execute format(
    'alter table %s set (autovacuum_vacuum_insert_threshold = 10000, autovacuum_vacuum_insert_scale_factor = 0.01)',
    partition);
end $$;

do $$
declare
  partition regclass;
begin
  for partition in
    select inhrelid from pg_inherits
    where inhparent in ('tier_2min'::regclass, 'tier_15min'::regclass, 'tier_1h'::regclass, 'tier_2h'::regclass)
  loop
    call vacuum_new_rows_soon(partition);
  end loop;
end $$;

create or replace function ensure_tier_partition(tier text, day date) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  days integer := tier_partition_days(tier);
  first date := date '1970-01-01' + ((day - date '1970-01-01') / days) * days;
  name text := tier || '_' || to_char(first, 'YYYYMMDD');
begin
  if day not between (now() at time zone 'UTC')::date - 500 and (now() at time zone 'UTC')::date + 2 then
    raise exception 'A partition for % is out of range.', day;
  end if;
  if to_regclass(name) is not null then return; end if;
  perform pg_advisory_xact_lock(hashtext('ensure_tier_partition'));
  -- Whoever held the lock may have made it. to_regclass() would answer from a cache that a lock does not refresh.
  if exists (select from pg_class where relname = name and relnamespace = 'public'::regnamespace) then return; end if;
  execute format(
    'create table %I partition of %I for values from (%L) to (%L)',
    name, tier, (first::timestamp at time zone 'UTC'), ((first + days)::timestamp at time zone 'UTC'));
  call protect_tenant_table(name::regclass, '');
  call vacuum_new_rows_soon(name::regclass);
end $$;
