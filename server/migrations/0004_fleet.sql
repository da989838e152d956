create table vendor_credentials (
  tenant_id text not null references tenants (id),
  id bigint generated always as identity,
  base_url text not null,
  token_url text not null,
  client_id text not null,
  -- AES-256-GCM under SECRET_KEY; see server/secrets.ts.
  client_secret bytea not null,
  account_number text,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  -- A client id stands for one account of the vendor, also when its address changes.
  unique (tenant_id, client_id)
);
call protect_tenant_table('vendor_credentials');

-- How each feed of a credential is doing: what the page needs to tell the age of what it shows.
create table vendor_feeds (
  tenant_id text not null,
  credential_id bigint not null,
  feed text not null check (feed in ('inventory', 'usage', 'telemetry')),
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_failure text,
  -- Of the telemetry feed: the time of the newest row there is.
  newest_sample_at timestamptz,
  primary key (tenant_id, credential_id, feed),
  foreign key (tenant_id, credential_id) references vendor_credentials (tenant_id, id) on delete cascade
);
call protect_tenant_table('vendor_feeds');

create table service_lines (
  tenant_id text not null references tenants (id),
  id bigint generated always as identity,
  credential_id bigint not null,
  service_line_number text not null,
  nickname text not null,
  custom_name text,
  metadata1 text,
  metadata2 text,
  metadata3 text,
  group_name text not null,
  account_group text not null,
  active boolean not null,
  public_ip boolean not null,
  opt_in_product_id text,
  product_id text,
  product_name text,
  is_mobile boolean not null default false,
  street text,
  city text,
  state text,
  latitude double precision,
  longitude double precision,
  -- Set while the vendor's inventory does not list the line any more; its history stays.
  removed_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, credential_id) references vendor_credentials (tenant_id, id)
);
create unique index service_lines_number on service_lines (tenant_id, service_line_number);
create index service_lines_nickname on service_lines (tenant_id, nickname);
call protect_tenant_table(
  'service_lines',
  visible_when => $$nullif(current_setting('app.group', true), '') is null or group_name = current_setting('app.group', true)$$
);

create table terminals (
  tenant_id text not null references tenants (id),
  id bigint generated always as identity,
  credential_id bigint not null,
  service_line_id bigint,
  -- The vendor's userTerminalId, without the 'ut' that telemetry puts before it.
  device_id text not null,
  kit_serial text,
  dish_serial text,
  config_id text,
  removed_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, credential_id) references vendor_credentials (tenant_id, id),
  foreign key (tenant_id, service_line_id) references service_lines (tenant_id, id)
);
create unique index terminals_device on terminals (tenant_id, device_id);
create index terminals_line on terminals (tenant_id, service_line_id);
call protect_tenant_table('terminals');

create table routers (
  tenant_id text not null references tenants (id),
  id bigint generated always as identity,
  terminal_id bigint,
  router_id text not null,
  hardware_version text,
  removed_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, terminal_id) references terminals (tenant_id, id)
);
create unique index routers_router on routers (tenant_id, router_id);
create index routers_terminal on routers (tenant_id, terminal_id);
call protect_tenant_table('routers');

create table line_usage (
  tenant_id text not null,
  service_line_id bigint not null,
  cycle_start date not null,
  cycle_end date not null,
  priority_gb double precision not null,
  standard_gb double precision not null,
  opt_in_priority_gb double precision not null,
  non_billable_gb double precision not null,
  usage_limit_gb double precision,
  data_blocks jsonb not null default '[]',
  updated_at timestamptz not null default now(),
  primary key (tenant_id, service_line_id, cycle_start),
  foreign key (tenant_id, service_line_id) references service_lines (tenant_id, id)
);
call protect_tenant_table('line_usage');

-- The vendor's UTC days; a day it leaves out was zero.
create table daily_usage (
  tenant_id text not null,
  service_line_id bigint not null,
  day date not null,
  priority_gb double precision not null,
  standard_gb double precision not null,
  opt_in_priority_gb double precision not null,
  non_billable_gb double precision not null,
  primary key (tenant_id, service_line_id, day),
  foreign key (tenant_id, service_line_id) references service_lines (tenant_id, id)
);
call protect_tenant_table('daily_usage');
