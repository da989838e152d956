create table users (
  tenant_id text not null references tenants (id),
  id bigint generated always as identity,
  email text not null,
  password_hash text not null,
  role text not null check (role in ('admin', 'user')),
  -- The customer of the reseller this person belongs to; the product calls it username or GroupID.
  group_name text not null,
  customer_name text not null,
  company text not null,
  check_otp boolean not null default false,
  must_change_password boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create unique index users_email on users (tenant_id, lower(email));
call protect_tenant_table('users');

create table sessions (
  tenant_id text not null references tenants (id),
  id uuid not null default gen_random_uuid(),
  user_id bigint not null,
  refresh_hash bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  address text not null,
  user_agent text not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create unique index sessions_refresh on sessions (tenant_id, refresh_hash);
create index sessions_user on sessions (tenant_id, user_id);
call protect_tenant_table('sessions');

create table feature_grants (
  tenant_id text not null references tenants (id),
  user_id bigint not null,
  item text not null,
  value text not null,
  primary key (tenant_id, user_id, item),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
call protect_tenant_table('feature_grants');

-- Guessing is slowed down per account and per address. Keys are hashed: the table tells nobody who tried.
create table sign_in_attempts (
  tenant_id text not null references tenants (id),
  key bytea not null,
  window_start timestamptz not null,
  attempts integer not null,
  primary key (tenant_id, key)
);
call protect_tenant_table('sign_in_attempts');
