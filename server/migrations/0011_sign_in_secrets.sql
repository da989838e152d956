-- The code of a sign-in that waits for it: one per person, the newest. Tries are counted before anything is compared.
create table sign_in_codes (
  tenant_id text not null,
  user_id bigint not null,
  code_hash bytea not null,
  tries integer not null default 0,
  expires_at timestamptz not null,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
call protect_tenant_table('sign_in_codes');

-- Somebody forgot their password. Every asking is written, whether the address is known or not, so that both take as long;
-- what follows is done behind.
create table password_requests (
  tenant_id text not null references tenants (id),
  id bigint generated always as identity,
  email text not null,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
call protect_tenant_table('password_requests');

-- The mailed password: it works once beside the person's own, and proves who they are when they choose a new one.
create table mailed_passwords (
  tenant_id text not null,
  user_id bigint not null,
  password_hash text not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
call protect_tenant_table('mailed_passwords');

