-- The vendor moves its read index on every answer, so what it sent is stored here before anything else is done with it.
-- When the batch has been applied its body is let go and the row stays as the receipt of what was observed, and when.
create table telemetry_batches (
  tenant_id text not null,
  id bigint generated always as identity,
  credential_id bigint not null,
  -- 'newest' is the vendor's answer with the newest values of each device, 'stream' one batch of the stream.
  kind text not null default 'stream' check (kind in ('stream', 'newest')),
  received_at timestamptz not null default now(),
  -- The answer as it came, zstd-compressed.
  body bytea,
  applied_at timestamptz,
  attempts integer not null default 0,
  -- Why it was set aside after the last attempt; the body stays, so it can be applied once the fault is mended.
  failed text,
  terminal_rows integer,
  skipped_rows integer,
  first_sample_at timestamptz,
  last_sample_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, credential_id) references vendor_credentials (tenant_id, id) on delete cascade,
  check ((applied_at is null) = (body is not null))
);
create index telemetry_batches_waiting on telemetry_batches (tenant_id, credential_id, id)
  where applied_at is null and failed is null;
create index telemetry_batches_received on telemetry_batches (tenant_id, received_at);
call protect_tenant_table('telemetry_batches');

-- Partitioned by UTC day; terminal ids are unique across tenants, so the key leaves the tenant out and stays short.
create table samples (
  tenant_id text not null,
  terminal_id bigint not null,
  at timestamptz not null,
  downlink_mbps real,
  uplink_mbps real,
  latency_ms real,
  ping_drop real,
  obstruction real,
  signal_quality real,
  uptime_s integer,
  alerts text[],
  primary key (terminal_id, at)
) partition by range (at);
call protect_tenant_table('samples');

-- Only the owner may create or drop a partition; the runtime asks through these two.
create function ensure_sample_partition(day date) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  name text := 'samples_' || to_char(day, 'YYYYMMDD');
begin
  if day not between (now() at time zone 'UTC')::date - 90 and (now() at time zone 'UTC')::date + 2 then
    raise exception 'A partition for % is out of range.', day;
  end if;
  if to_regclass(name) is not null then return; end if;
  perform pg_advisory_xact_lock(hashtext('ensure_sample_partition'));
  -- Whoever held the lock may have made it. to_regclass() would answer from a cache that a lock does not refresh.
  if exists (select from pg_class where relname = name and relnamespace = 'public'::regnamespace) then return; end if;
  execute format(
    'create table %I partition of samples for values from (%L) to (%L)',
    name, (day::timestamp at time zone 'UTC'), ((day + 1)::timestamp at time zone 'UTC'));
  call protect_tenant_table(name::regclass, '');
end $$;

create function drop_sample_partitions(before date) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  partition regclass;
  dropped integer := 0;
begin
  if before > (now() at time zone 'UTC')::date - 2 then
    raise exception 'Samples of the last two days are kept.';
  end if;
  for partition in
    select inhrelid::regclass from pg_inherits
    where inhparent = 'samples'::regclass and right(inhrelid::regclass::text, 8) < to_char(before, 'YYYYMMDD')
  loop
    execute format('drop table %s', partition);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;

revoke all on function ensure_sample_partition(date), drop_sample_partitions(date) from public;
grant execute on function ensure_sample_partition(date), drop_sample_partitions(date) to dishboard_runtime;

-- The newest known state of each terminal; half-empty pages let an update stay on its page and touch no index.
create table latest (
  tenant_id text not null,
  terminal_id bigint not null,
  at timestamptz not null,
  -- The newest row that did not lose every ping: what the status goes by.
  heard_at timestamptz,
  downlink_mbps real,
  uplink_mbps real,
  latency_ms real,
  ping_drop real,
  obstruction real,
  signal_quality real,
  uptime_s integer,
  alerts text[] not null default '{}',
  h3_cell text,
  software_version text,
  country_code text,
  -- Columns this version has no name for, by the vendor's name.
  extra jsonb,
  primary key (tenant_id, terminal_id),
  foreign key (tenant_id, terminal_id) references terminals (tenant_id, id)
) with (fillfactor = 50);
call protect_tenant_table('latest');

create table latest_routers (
  tenant_id text not null,
  router_id bigint not null,
  at timestamptz not null,
  clients integer,
  uptime_s bigint,
  is_repeater boolean,
  is_bypassed boolean,
  software_version text,
  ping_drop real,
  latency_ms real,
  extra jsonb,
  primary key (tenant_id, router_id),
  foreign key (tenant_id, router_id) references routers (tenant_id, id)
) with (fillfactor = 50);
call protect_tenant_table('latest_routers');

create table latest_addresses (
  tenant_id text not null,
  terminal_id bigint not null,
  at timestamptz not null,
  ipv4 text[] not null,
  ipv6_ue text[] not null,
  ipv6_cpe text[] not null,
  primary key (tenant_id, terminal_id),
  foreign key (tenant_id, terminal_id) references terminals (tenant_id, id)
) with (fillfactor = 50);
call protect_tenant_table('latest_addresses');

-- What each terminal was, and from when to when; the open interval is what it is now.
create table status_intervals (
  tenant_id text not null,
  terminal_id bigint not null,
  started_at timestamptz not null,
  ended_at timestamptz check (ended_at >= started_at),
  status text not null check (status in ('online', 'offline', 'no data')),
  disabled boolean not null default false,
  primary key (tenant_id, terminal_id, started_at),
  foreign key (tenant_id, terminal_id) references terminals (tenant_id, id)
);
create unique index status_intervals_open on status_intervals (tenant_id, terminal_id) where ended_at is null;
call protect_tenant_table('status_intervals');
