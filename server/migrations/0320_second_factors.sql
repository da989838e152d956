-- Whether the user has a second factor of their own: an authenticator app or a passkey. Whoever adds or removes one sets it.
alter table users add column has_second_factor boolean not null default false;

-- The secret of an authenticator app, encrypted. It counts once a code of it was entered.
create table totp_secrets (
  tenant_id text not null,
  user_id bigint not null,
  secret bytea not null,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  last_used_at timestamptz,
  -- The newest time step whose code was accepted. Codes of it and of earlier steps are refused.
  last_step bigint not null default 0,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
call protect_tenant_table('totp_secrets');

-- Codes for a user who has lost the other factors. They are random and long, so a plain hash cannot be tried out.
create table recovery_codes (
  tenant_id text not null,
  user_id bigint not null,
  code_hash bytea not null,
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (tenant_id, user_id, code_hash),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
call protect_tenant_table('recovery_codes');

-- A sign-in that waits for a second factor has a row here. A code is mailed only if that is the factor, and again at will.
alter table sign_in_codes alter column code_hash drop not null;
alter table sign_in_codes add column sent_at timestamptz;
