-- What many samples come to, per terminal and bucket of time: of each measure the lowest, the highest, the sum and the
-- newest value. Samples that come late, twice or out of order only ever make a bucket larger, so the larger `n` is right.
do $$
declare
  tier text;
begin
  foreach tier in array array['tier_2min', 'tier_15min', 'tier_1h', 'tier_2h'] loop
    execute format($table$
      create table %I (
        tenant_id text not null,
        terminal_id bigint not null,
        -- Where the bucket begins.
        at timestamptz not null,
        n integer not null,
        downlink_min real, downlink_max real, downlink_sum real, downlink_last real,
        uplink_min real, uplink_max real, uplink_sum real, uplink_last real,
        latency_min real, latency_max real, latency_sum real, latency_last real,
        ping_drop_min real, ping_drop_max real, ping_drop_sum real, ping_drop_last real,
        signal_quality_min real, signal_quality_max real, signal_quality_sum real, signal_quality_last real,
        obstruction_min real, obstruction_max real, obstruction_sum real, obstruction_last real,
        -- How many samples have each measure, in the order above; null where each has all.
        told smallint[],
        -- Every alert that was on.
        alerts text[],
        primary key (terminal_id, at)
      ) partition by range (at)$table$, tier);
    call protect_tenant_table(tier::regclass);
  end loop;
end $$;

-- Buckets whose samples have changed since they were last computed. Written in the transaction that writes the samples, so
-- after a crash nothing is forgotten.
create table tier_work (
  tenant_id text not null,
  credential_id bigint not null,
  tier text not null,
  at timestamptz not null,
  -- All terminals of the credential; else only those named.
  whole boolean not null,
  terminal_ids bigint[] not null default '{}',
  primary key (tenant_id, credential_id, tier, at),
  foreign key (tenant_id, credential_id) references vendor_credentials (tenant_id, id) on delete cascade
);
call protect_tenant_table('tier_work');

-- Up to where a tier has all that the feed has reported; what came after is read from the samples.
create table tier_marks (
  tenant_id text not null,
  credential_id bigint not null,
  tier text not null,
  complete_until timestamptz not null,
  primary key (tenant_id, credential_id, tier),
  foreign key (tenant_id, credential_id) references vendor_credentials (tenant_id, id) on delete cascade
);
call protect_tenant_table('tier_marks');

-- When the feed reported any device at all. A terminal without samples in such a time was out; outside of it nobody knows.
create table feed_coverage (
  tenant_id text not null,
  credential_id bigint not null,
  day date not null,
  observed tstzmultirange not null,
  primary key (tenant_id, credential_id, day),
  foreign key (tenant_id, credential_id) references vendor_credentials (tenant_id, id) on delete cascade
);
call protect_tenant_table('feed_coverage');

-- Days in a partition: few enough to let go of in time, many enough that a long period is read from few partitions.
create function tier_partition_days(tier text) returns integer language plpgsql immutable as $$
begin
  case tier
    when 'tier_2min' then return 1;
    when 'tier_15min' then return 7;
    when 'tier_1h', 'tier_2h' then return 28;
    else raise exception 'There is no tier %.', tier;
  end case;
end $$;

-- Only the owner may create or drop a partition; the runtime asks through these two.
create function ensure_tier_partition(tier text, day date) returns void
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
end $$;

create function drop_tier_partitions(tier text, before date) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  days integer := tier_partition_days(tier);
  partition regclass;
  dropped integer := 0;
begin
  if before > (now() at time zone 'UTC')::date - 3 then
    raise exception 'Buckets of the last three days are kept.';
  end if;
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

revoke all on function ensure_tier_partition(text, date), drop_tier_partitions(text, date) from public;
grant execute on function ensure_tier_partition(text, date), drop_tier_partitions(text, date) to dishboard_runtime;

-- A terminal's page is opened by kit number too.
create index terminals_kit on terminals (tenant_id, kit_serial);
