-- Where a tenant's events are sent.
create table webhook_endpoints (
  tenant_id text not null references tenants (id),
  id uuid not null,
  name text not null,
  url text not null,
  format text not null check (format in ('standard', 'slack', 'teams')),
  event_types text[] not null,
  -- What it is about: the whole tenant, one group, or some lines.
  group_name text,
  line_ids bigint[] not null default '{}',
  sealed_secret bytea not null,
  -- Signs too until the time beside it, so that receivers can change over.
  sealed_previous_secret bytea,
  previous_secret_until timestamptz,
  created_at timestamptz not null,
  -- Failed attempts since the last success. No attempt is made before `retry_at`.
  failures integer not null default 0,
  failing_since timestamptz,
  retry_at timestamptz,
  -- Nothing is sent while it is set.
  paused_at timestamptz,
  pause_reason text,
  primary key (tenant_id, id),
  check (group_name is null or line_ids = '{}'),
  check ((sealed_previous_secret is null) = (previous_secret_until is null)),
  check ((paused_at is null) = (pause_reason is null))
);
call protect_tenant_table('webhook_endpoints');

-- One event for one endpoint, written in the transaction that causes the event.
create table webhook_deliveries (
  tenant_id text not null,
  id uuid not null default gen_random_uuid(),
  endpoint_id uuid not null,
  type text not null,
  occurred_at timestamptz not null,
  -- What happened to what. The body is written at the first attempt, from what the endpoint may see then.
  subject jsonb not null,
  -- The user that it is about.
  account text,
  body text,
  state text not null default 'queued' check (state in ('queued', 'delivered', 'failed')),
  attempts integer not null default 0,
  created_at timestamptz not null,
  due_at timestamptz not null,
  give_up_at timestamptz not null,
  attempted_at timestamptz,
  finished_at timestamptz,
  duration_ms integer,
  response_status integer,
  -- Its first characters.
  response_body text,
  problem text,
  primary key (tenant_id, id),
  foreign key (tenant_id, endpoint_id) references webhook_endpoints (tenant_id, id) on delete cascade
);
create index webhook_deliveries_due on webhook_deliveries (tenant_id, endpoint_id, due_at) where state = 'queued';
create index webhook_deliveries_newest on webhook_deliveries (tenant_id, endpoint_id, created_at desc, id);
create index webhook_deliveries_by_age on webhook_deliveries (tenant_id, created_at);
create index webhook_deliveries_by_account on webhook_deliveries (tenant_id, lower(account)) where account is not null;
call protect_tenant_table('webhook_deliveries');
