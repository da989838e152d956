-- The buckets of two minutes are nearly all of the tiers. After a day only downloads read them, a terminal's whole days at
-- a time. So a day of a terminal becomes one row with an array for each column, which takes less than a third of the
-- space: no header, key and chart for each bucket.
create table tier_2min_packed (
  tenant_id text not null,
  terminal_id bigint not null,
  -- When the day begins, in UTC.
  at timestamptz not null,
  -- The number of each bucket in the day. The elements of the other arrays are in the same order.
  bucket smallint[] not null,
  n smallint[] not null,
  downlink_min real[], downlink_max real[], downlink_sum real[], downlink_last real[],
  uplink_min real[], uplink_max real[], uplink_sum real[], uplink_last real[],
  latency_min real[], latency_max real[], latency_sum real[], latency_last real[],
  ping_drop_min real[], ping_drop_max real[], ping_drop_sum real[], ping_drop_last real[],
  signal_quality_min real[], signal_quality_max real[], signal_quality_sum real[], signal_quality_last real[],
  obstruction_min real[], obstruction_max real[], obstruction_sum real[], obstruction_last real[],
  -- As text, because arrays of arrays must all have the same length; null where every element is.
  non_null_counts text[],
  alerts text[],
  primary key (terminal_id, at)
) partition by range (at);
call protect_tenant_table('tier_2min_packed');

-- In a distributed database it is on the nodes of the tiers. FORCE would hide the rows from Citus, which looks for some.
do $$
begin
  if not is_distributed('samples'::regclass) then return; end if;
  -- After work on several shards at once, Citus refuses to create functions in the same transaction.
  set local citus.multi_shard_modify_mode = 'sequential';
  alter table tier_2min_packed no force row level security;
  execute $distribute$
    select create_distributed_table('tier_2min_packed', 'terminal_id', colocate_with => 'samples')$distribute$;
  alter table tier_2min_packed force row level security;
end $$;

create or replace function tier_partition_days(tier text) returns integer language plpgsql immutable as $$
begin
  case tier
    when 'tier_2min', 'tier_2min_packed' then return 1;
    when 'tier_15min' then return 7;
    when 'tier_1h', 'tier_2h' then return 28;
    else raise exception 'There is no tier %.', tier;
  end case;
end $$;

-- Moves the buckets of the oldest day before the given one that has any from their partition, which stays without rows, to
-- rows of tier_2min_packed, whose partition exists. Buckets that arrive later, or again, are merged with the packed ones in
-- the next run; the larger `n` is right.
create function pack_tier_partition(before date) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  partition text;
  has_rows boolean;
  begins timestamptz;
  ends timestamptz;
  reals text[];
  caller text := coalesce(current_setting('app.tenant_id', true), '');
  tenant text;
begin
  if before > (now() at time zone 'UTC')::date - 1 then
    raise exception 'Charts read the buckets of the last day.';
  end if;
  -- A backup that has begun would not see the packed rows.
  if not pg_try_advisory_xact_lock(hashtextextended('dishboard:backup', 0)) then return null; end if;
  -- Not by set_config(), which does not reach the shards of a distributed database.
  set local app.all_tenants = 'on';
  for partition in
    select relname from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'tier_2min'::regclass and to_date(right(relname, 8), 'YYYYMMDD') < before
    order by relname
  loop
    execute format('select exists (select 1 from %I)', partition) into has_rows;
    exit when has_rows;
  end loop;
  set local app.all_tenants = '';
  if has_rows is not true then return null; end if;

  begins := to_date(right(partition, 8), 'YYYYMMDD')::timestamp at time zone 'UTC';
  ends := begins + interval '24 hours';
  -- Readers continue; a writer, which is rare here, waits.
  execute format('lock table %I in share mode', partition);
  select array_agg(attname order by attnum) into reals
  from pg_attribute where attrelid = 'tier_2min'::regclass and atttypid = 'real'::regtype and not attisdropped;
  set local work_mem = '256MB';
  for tenant in select id from tenants loop
    execute format('set local app.tenant_id = %L', tenant);
    execute format(
      'insert into tier_2min_packed (tenant_id, terminal_id, at, bucket, n, non_null_counts, alerts, %1$s)
       select tenant_id, terminal_id, %4$L::timestamptz, array_agg(bucket), array_agg(n),
         case when count(non_null_counts) > 0 then array_agg(non_null_counts) end,
         case when count(alerts) > 0 then array_agg(alerts) end, %2$s
       from (
         select distinct on (terminal_id, bucket) * from (
           select tenant_id, terminal_id, (extract(epoch from at - %4$L::timestamptz) / 120)::smallint as bucket,
             n::smallint as n, non_null_counts::text as non_null_counts, alerts::text as alerts, %1$s
           from tier_2min where at >= %4$L and at < %5$L
           union all
           select known.tenant_id, known.terminal_id, each.*
           from tier_2min_packed as known, unnest(known.bucket, known.n, known.non_null_counts, known.alerts, %6$s)
             as each (bucket, n, non_null_counts, alerts, %1$s)
           where known.at = %4$L and exists (
             select 1 from tier_2min as added
             where added.terminal_id = known.terminal_id and added.at >= %4$L and added.at < %5$L)
         ) as buckets
         order by terminal_id, bucket, n desc
       ) as buckets
       group by tenant_id, terminal_id
       on conflict (terminal_id, at) do update set bucket = excluded.bucket, n = excluded.n,
         non_null_counts = excluded.non_null_counts, alerts = excluded.alerts, %3$s',
      array_to_string(reals, ', '),
      (select string_agg(format('array_agg(%I)', name), ', ') from unnest(reals) as name),
      (select string_agg(format('%1$I = excluded.%1$I', name), ', ') from unnest(reals) as name),
      begins, ends,
      (select string_agg(format('known.%I', name), ', ') from unnest(reals) as name));
  end loop;
  execute format('set local app.tenant_id = %L', caller);
  -- Readers wait behind this, so it gives up soon and is tried again later.
  set local lock_timeout = '3s';
  execute format('truncate %I', partition);
  return partition;
end $$;

revoke all on function pack_tier_partition(date) from public;
grant execute on function pack_tier_partition(date) to dishboard_runtime;
