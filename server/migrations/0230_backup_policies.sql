-- Row security binds the owner too, so a backup would have to read every table once for each tenant. This policy shows the
-- owner, who could also turn row security off, the rows of all tenants in a transaction that asks for them, and nobody else.
-- Policies are tried in descending order of their names: this one first, which costs less for each row.
create procedure show_all_tenants_to_owner(target regclass)
language plpgsql as $$
begin
  execute format(
    'create policy tenants_all on %s for select to %s using (current_setting(''app.all_tenants'', true) = ''on'')',
    target, (select relowner::regrole from pg_class where oid = target));
end $$;

create or replace procedure protect_tenant_table(
  target regclass,
  privileges text default 'select, insert, update, delete',
  visible_when text default 'true'
)
language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format(
    'create policy tenant on %s using (tenant_id = nullif(current_setting(''app.tenant_id'', true), '''') and (%s))',
    target, visible_when);
  call show_all_tenants_to_owner(target);
  if privileges <> '' then
    execute format('grant %s on %s to dishboard_runtime', privileges, target);
  end if;
end $$;

do $$
declare
  target regclass;
begin
  for target in
    select polrelid from pg_policy
    where polname = 'tenant' and polrelid not in ('jobs'::regclass, 'job_requests'::regclass)
  loop
    call show_all_tenants_to_owner(target);
  end loop;
end $$;

-- Dropping a partition that a backup reads would wait for it, and every reader and writer of the table would wait behind
-- that. Retention waits for its next turn instead.
create or replace function drop_sample_partitions(before date) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  partition regclass;
  dropped integer := 0;
begin
  if before > (now() at time zone 'UTC')::date - 2 then
    raise exception 'Samples of the last two days are kept.';
  end if;
  if not pg_try_advisory_xact_lock(hashtextextended('dishboard:backup', 0)) then return 0; end if;
  for partition in
    select inhrelid::regclass from pg_inherits
    where inhparent = 'samples'::regclass and right(inhrelid::regclass::text, 8) < to_char(before, 'YYYYMMDD')
  loop
    execute format('drop table %s', partition);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;

create or replace function drop_tier_partitions(tier text, before date) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  days integer := tier_partition_days(tier);
  partition regclass;
  dropped integer := 0;
begin
  if before > (now() at time zone 'UTC')::date - 3 then
    raise exception 'Buckets of the last three days are kept.';
  end if;
  if not pg_try_advisory_xact_lock(hashtextextended('dishboard:backup', 0)) then return 0; end if;
  for partition in
    select inhrelid::regclass from pg_inherits
    where inhparent = tier::regclass
      and to_date(right(inhrelid::regclass::text, 8), 'YYYYMMDD') + days <= before
  loop
    execute format('drop table %s', partition);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
