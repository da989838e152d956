-- A tier's rows arrive by time, while its key is ordered by terminal. So every page of the key is split in the middle when
-- it is full, and the half that stays behind is never filled: the key takes twice its size. PostgreSQL splits after the new
-- row only where rows of a key are no wider than two numbers, and these contain the chart.
--
-- Once a partition no longer changes, its rows are written anew in the order of the key. Nothing is locked for long: the
-- copy lets readers read, and takes the partition's place at the end. `fillfactor` marks the partition as done, and a
-- backup contains it.
create function compact_tier_partition(tier text, before date) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  days integer := tier_partition_days(tier);
  name text;
  copy text;
  first date;
  bounds text[];
  columns text;
begin
  if before > (now() at time zone 'UTC')::date - 3 then
    raise exception 'Buckets of the last three days may still change.';
  end if;
  if is_distributed(tier::regclass) then return null; end if;
  -- A backup that has begun would not see the rows of the copy.
  if not pg_try_advisory_xact_lock(hashtextextended('dishboard:backup', 0)) then return null; end if;

  select relname into name
  from pg_inherits join pg_class on pg_class.oid = inhrelid
  where inhparent = tier::regclass and not coalesce(reloptions, '{}') @> array['fillfactor=100']
    and to_date(right(relname, 8), 'YYYYMMDD') + days <= before
  order by relname
  limit 1;
  if name is null then return null; end if;

  copy := name || '_compact';
  first := to_date(right(name, 8), 'YYYYMMDD');
  bounds := array[first::timestamp at time zone 'UTC', (first + days)::timestamp at time zone 'UTC'];
  -- Readers continue; a writer, which is rare here, waits.
  execute format('lock table %I in share mode', name);
  -- With the check, PostgreSQL need not read all rows again to attach the copy.
  execute format(
    'create table %I (like %I including defaults including generated including storage including compression,
       constraint compact_bounds check (at >= %L and at < %L)) with (fillfactor = 100)',
    copy, name, bounds[1], bounds[2]);
  select string_agg(quote_ident(attname), ', ' order by attnum) into columns
  from pg_attribute where attrelid = name::regclass and attnum > 0 and not attisdropped and attgenerated = '';
  perform set_config('app.all_tenants', 'on', true);
  perform set_config('work_mem', '256MB', true);
  perform set_config('maintenance_work_mem', '256MB', true);
  execute format(
    'insert into %I (%s) select %s from %I order by terminal_id, at',
    copy, columns, columns, name);
  perform set_config('app.all_tenants', '', true);
  execute format('alter table %I add %s with (fillfactor = 100)', copy,
    (select pg_get_constraintdef(oid) from pg_constraint where conrelid = tier::regclass and contype = 'p'));
  call protect_tenant_table(copy::regclass, '');
  call vacuum_new_rows_soon(copy::regclass);
  execute format('analyze %I', copy);

  -- Everybody who reads or writes the tier waits behind this, so it gives up soon and is tried again later.
  perform set_config('lock_timeout', '3s', true);
  execute format('drop table %I', name);
  execute format('alter table %I rename to %I', copy, name);
  execute format('alter index %I rename to %I', copy || '_pkey', name || '_pkey');
  execute format(
    'alter table %I attach partition %I for values from (%L) to (%L)', tier, name, bounds[1], bounds[2]);
  execute format('alter table %I drop constraint compact_bounds', name);
  return name;
end $$;

revoke all on function compact_tier_partition(text, date) from public;
grant execute on function compact_tier_partition(text, date) to dishboard_runtime;
