-- When the user of a session last gave their password, at sign-in or to confirm a sensitive change. Sessions from before
-- have to confirm.
alter table sessions add column confirmed_at timestamptz not null default 'epoch';

-- The browsers that a user has signed in with, by the keyed hash of a cookie.
create table known_devices (
  tenant_id text not null,
  user_id bigint not null,
  device_hash bytea not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (tenant_id, user_id, device_hash),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
call protect_tenant_table('known_devices');
