-- The passwords that a user had before the present one, the last few, so that none of them is chosen again.
create table password_history (
  tenant_id text not null,
  id bigint generated always as identity,
  user_id bigint not null,
  password_hash text not null,
  replaced_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index password_history_user on password_history (tenant_id, user_id, id);
call protect_tenant_table('password_history');
