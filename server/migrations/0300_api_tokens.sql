-- The account of a service token: a user without a password or an address, who cannot sign in.
alter table users add column is_service boolean not null default false;
alter table users add constraint users_service_has_no_address check (not is_service or position('@' in email) = 0);

create table api_tokens (
  tenant_id text not null references tenants (id),
  id uuid not null default gen_random_uuid(),
  -- With whose rights it acts: its owner, or the account of a service.
  user_id bigint not null,
  name text not null,
  -- The secret is random and long, so a plain hash cannot be tried out.
  secret_hash bytea not null,
  -- The first characters of the secret, by which people recognize it.
  hint text not null,
  scopes text[] not null,
  -- Where it may be used from; empty: everywhere.
  networks text[] not null,
  created_at timestamptz not null,
  created_by text not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create unique index api_tokens_by_secret on api_tokens (tenant_id, secret_hash);
create index api_tokens_by_user on api_tokens (tenant_id, user_id);
call protect_tenant_table('api_tokens');

-- A table of its own: a transaction that writes with a token locks the token, and must not stop the counting.
create table api_token_uses (
  tenant_id text not null,
  token_id uuid not null,
  user_id bigint not null,
  -- The requests of this minute that processes have taken from the limit.
  window_start timestamptz not null default 'epoch',
  reserved integer not null default 0,
  last_used_at timestamptz,
  last_address text not null default '',
  known_networks text[] not null default '{}',
  primary key (tenant_id, token_id),
  foreign key (tenant_id, token_id) references api_tokens (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index api_token_uses_by_user on api_token_uses (tenant_id, user_id);
call protect_tenant_table('api_token_uses');
