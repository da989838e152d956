-- How the users of a tenant sign in at an OpenID provider. Without a row, they sign in with passwords only.
create table sso_connections (
  tenant_id text primary key references tenants (id),
  issuer text not null,
  client_id text not null,
  client_secret bytea not null,
  scopes text not null,
  button_label text not null,
  is_enabled boolean not null,
  -- No passwords, except those of break-glass administrators.
  is_only boolean not null,
  -- An ordered list: the first that matches decides on role and group.
  rules jsonb not null,
  -- How often the provider is asked whether the user may still sign in, and how long it may be unreachable.
  recheck_minutes integer not null check (recheck_minutes between 1 and 1440),
  grace_minutes integer not null check (grace_minutes between 0 and 10080),
  updated_at timestamptz not null
);
call protect_tenant_table('sso_connections');

-- Whose account at the provider it is. The provider never gives a subject to somebody else, but an address it may.
create table sso_identities (
  tenant_id text not null references tenants (id),
  issuer text not null,
  subject text not null,
  user_id bigint not null,
  linked_at timestamptz not null,
  primary key (tenant_id, issuer, subject),
  unique (tenant_id, user_id, issuer),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
call protect_tenant_table('sso_identities');

-- Sign-ins that wait for the browser to return from the provider. Nonce and code verifier are derived from the secrets
-- whose hashes these are.
create table sso_attempts (
  tenant_id text not null references tenants (id),
  state_hash bytea not null,
  browser_hash bytea not null,
  issuer text not null,
  client_id text not null,
  redirect_uri text not null,
  -- The provider was asked to have the user prove who they are, also if they are signed in there.
  is_confirmation boolean not null,
  expires_at timestamptz not null,
  primary key (tenant_id, state_hash)
);
call protect_tenant_table('sso_attempts');

create table sso_sessions (
  tenant_id text not null,
  session_id uuid not null,
  issuer text not null,
  subject text not null,
  -- Null if the provider gave none; the session is then short.
  refresh_token bytea,
  id_token bytea not null,
  checked_at timestamptz not null,
  -- Until when one process asks the provider. A refresh token that is used twice at once may be taken for stolen.
  checking_until timestamptz not null default 'epoch',
  primary key (tenant_id, session_id),
  foreign key (tenant_id, session_id) references sessions (tenant_id, id) on delete cascade
);
call protect_tenant_table('sso_sessions');

-- Whoever signs in at the provider needs no password here, so none has to be changed first.
alter table sessions add column is_single_sign_on boolean not null default false;
-- An administrator who may sign in with the password though the tenant has single sign-on only.
alter table users add column is_break_glass boolean not null default false;
