-- What the vendor sells and for how much; another account of the vendor may have another price.
create table vendor_products (
  tenant_id text not null,
  credential_id bigint not null,
  product_id text not null,
  name text not null,
  price_cents bigint not null,
  currency text,
  primary key (tenant_id, credential_id, product_id),
  foreign key (tenant_id, credential_id) references vendor_credentials (tenant_id, id) on delete cascade
);
call protect_tenant_table('vendor_products');

-- The product calls it a virtual plan: lines that share one limit, in our own books.
create table pools (
  tenant_id text not null references tenants (id),
  id bigint generated always as identity,
  name text not null,
  -- Whose pool it is; null while its lines belong to several customers, and then only administrators see it.
  group_name text,
  over_limit_behavior text not null check (over_limit_behavior in ('Hard Cap', 'Soft Cap', 'Purchase Buckets')),
  usage_limit_gb integer not null check (usage_limit_gb between 1 and 10000000),
  next_usage_limit_gb integer not null check (next_usage_limit_gb between 1 and 10000000),
  -- The top-ups of the current cycle; they end with it.
  top_up_gb integer not null default 0 check (top_up_gb >= 0),
  -- A cycle begins on this day of the month, in UTC; in a month without it, on the last day.
  anchor_day smallint not null check (anchor_day between 1 and 31),
  cycle_start date not null,
  cycle_end date not null check (cycle_end > cycle_start),
  -- What its lines have used in the cycle, and how new the vendor's figures were.
  used_gb double precision not null default 0,
  measured_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
create index pools_cycle_end on pools (tenant_id, cycle_end);
call protect_tenant_table(
  'pools',
  visible_when => $$nullif(current_setting('app.group', true), '') is null or group_name = current_setting('app.group', true)$$
);

-- The key says that a line is in one pool at a time.
create table pool_lines (
  tenant_id text not null,
  service_line_id bigint not null,
  pool_id bigint not null,
  primary key (tenant_id, service_line_id),
  foreign key (tenant_id, pool_id) references pools (tenant_id, id) on delete cascade,
  foreign key (tenant_id, service_line_id) references service_lines (tenant_id, id)
);
create index pool_lines_pool on pool_lines (tenant_id, pool_id);
call protect_tenant_table('pool_lines');

-- A limit that was reached, and what was done about it. At most one of a pool is open.
create table pool_crossings (
  tenant_id text not null,
  id bigint generated always as identity,
  pool_id bigint not null,
  cycle_start date not null,
  behavior text not null,
  limit_gb integer not null,
  used_gb double precision not null,
  crossed_at timestamptz not null,
  ended_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, pool_id) references pools (tenant_id, id) on delete cascade
);
create unique index pool_crossings_open on pool_crossings (tenant_id, pool_id) where ended_at is null;
create index pool_crossings_pool on pool_crossings (tenant_id, pool_id, crossed_at);
call protect_tenant_table('pool_crossings');

create table pool_top_ups (
  tenant_id text not null,
  id bigint generated always as identity,
  pool_id bigint not null,
  cycle_start date not null,
  amount_gb integer not null check (amount_gb > 0),
  bought_at timestamptz not null,
  bought_by text not null,
  -- Set when reaching the limit bought it; once per crossing.
  crossing_id bigint,
  primary key (tenant_id, id),
  unique (tenant_id, crossing_id),
  foreign key (tenant_id, pool_id) references pools (tenant_id, id) on delete cascade,
  foreign key (tenant_id, crossing_id) references pool_crossings (tenant_id, id)
);
create index pool_top_ups_pool on pool_top_ups (tenant_id, pool_id, cycle_start);
call protect_tenant_table('pool_top_ups');

-- What the vendor is asked to do with a line because of a crossing, and what came of it.
create table pool_orders (
  tenant_id text not null,
  id bigint generated always as identity,
  crossing_id bigint not null,
  service_line_id bigint not null,
  -- 'opt in' gives back what the crossing's 'opt out' took.
  wish text not null check (wish in ('opt out', 'opt in')),
  state text not null default 'asked'
    check (state in ('asked', 'sending', 'accepted', 'seen', 'refused', 'not confirmed', 'withdrawn')),
  asked_at timestamptz not null,
  -- Not before this moment is it taken up, or looked after again.
  due_at timestamptz not null,
  accepted_at timestamptz,
  attempts integer not null default 0,
  problem text,
  primary key (tenant_id, id),
  unique (tenant_id, crossing_id, service_line_id, wish),
  foreign key (tenant_id, crossing_id) references pool_crossings (tenant_id, id) on delete cascade,
  foreign key (tenant_id, service_line_id) references service_lines (tenant_id, id)
);
create index pool_orders_due on pool_orders (tenant_id, due_at) where state in ('asked', 'sending', 'accepted');
call protect_tenant_table('pool_orders');

-- The answer to a call that must not be carried out twice, kept under the key the client gave it.
create table idempotent_answers (
  tenant_id text not null,
  user_id bigint not null,
  key text not null,
  call text not null,
  input_hash bytea not null,
  answer jsonb,
  answered_at timestamptz not null,
  primary key (tenant_id, user_id, key),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index idempotent_answers_age on idempotent_answers (tenant_id, answered_at);
call protect_tenant_table('idempotent_answers');
