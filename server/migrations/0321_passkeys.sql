create table passkeys (
  tenant_id text not null,
  id uuid not null default gen_random_uuid(),
  user_id bigint not null,
  name text not null,
  -- The host that it was made at. Browsers offer it nowhere else.
  host text not null,
  credential_id bytea not null,
  public_key bytea not null,
  -- What the authenticator had counted at the last use; 0 if it does not count.
  counter bigint not null,
  transports text[] not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create unique index passkeys_by_credential on passkeys (tenant_id, credential_id);
create index passkeys_by_user on passkeys (tenant_id, user_id);
call protect_tenant_table('passkeys');

-- What a passkey has to sign: once, soon, and in the browser that asked for it.
create table passkey_challenges (
  tenant_id text not null references tenants (id),
  -- Of the cookie or session that it was given to.
  holder_hash bytea not null,
  challenge bytea not null,
  expires_at timestamptz not null,
  primary key (tenant_id, holder_hash)
);
call protect_tenant_table('passkey_challenges');
