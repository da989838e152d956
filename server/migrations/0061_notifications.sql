alter table messages
  -- What it is about and for whom, so that rights can be checked again at the moment of sending.
  add column notice jsonb,
  -- By which name the SMS gateway knows it.
  add column gateway_id text,
  add column attempted_at timestamptz;
create index messages_unsettled on messages (tenant_id, state) where state in ('failed', 'unknown');

-- When we learned of it, which may be long after it began: what users were notified of can be worked out again later.
alter table status_intervals add column noted_at timestamptz not null default now();
create index status_intervals_noted on status_intervals (tenant_id, noted_at);

alter table tenant_settings
  -- A change of status counts after it has held this long, in both directions.
  add column settling_minutes smallint not null default 5 check (settling_minutes between 1 and 120);

-- A line or pool has used so many percent of its limit: once each per cycle.
create table usage_crossings (
  tenant_id text not null references tenants (id),
  id bigint generated always as identity,
  service_line_id bigint,
  pool_id bigint,
  cycle_start date not null,
  percent smallint not null check (percent in (80, 90, 100)),
  used_gb double precision not null,
  limit_gb double precision not null,
  crossed_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, service_line_id) references service_lines (tenant_id, id),
  foreign key (tenant_id, pool_id) references pools (tenant_id, id) on delete cascade,
  check ((service_line_id is null) <> (pool_id is null))
);
create unique index usage_crossings_line on usage_crossings (tenant_id, service_line_id, cycle_start, percent)
  where service_line_id is not null;
create unique index usage_crossings_pool on usage_crossings (tenant_id, pool_id, cycle_start, percent)
  where pool_id is not null;
create index usage_crossings_at on usage_crossings (tenant_id, crossed_at);
call protect_tenant_table('usage_crossings');

-- How far a person's notifications by one channel have been worked out, and what is in the air.
create table notification_states (
  tenant_id text not null,
  user_id bigint not null,
  channel text not null check (channel in ('email', 'sms')),
  planned_until timestamptz not null,
  state jsonb not null,
  primary key (tenant_id, user_id, channel),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
call protect_tenant_table('notification_states');
