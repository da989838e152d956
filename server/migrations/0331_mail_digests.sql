-- Whether notifications by mail are sent one by one, or together at the full hour or in the morning.
alter table notification_settings add column digest text not null default 'at once'
  check (digest in ('at once', 'hourly', 'daily'));

-- Notifications that wait for the next mail that has them all.
create table notification_digests (
  tenant_id text not null,
  id bigint generated always as identity,
  user_id bigint not null,
  notice jsonb not null,
  queued_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index notification_digests_by_user on notification_digests (tenant_id, user_id, id);
call protect_tenant_table('notification_digests');
