-- Changes of many lines at once, which a user has started.
create table bulk_changes (
  tenant_id text not null references tenants (id),
  id uuid not null,
  -- Its rights count while it runs.
  user_id bigint not null,
  -- Whose lines the user saw when it began; null for administrators. It stops when that changes.
  group_name text,
  kind text not null check (kind in ('metadata', 'pool', 'notifications', 'reboot')),
  field text check (field in ('metadata1', 'metadata2', 'metadata3')),
  undo_of uuid,
  state text not null check (state in ('running', 'finished', 'stopped')),
  problem text,
  started_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
  check ((kind = 'metadata') = (field is not null))
);
create index bulk_changes_by_user on bulk_changes (tenant_id, user_id, started_at);
call protect_tenant_table('bulk_changes', visible_when => $$
  nullif(current_setting('app.group', true), '') is null or group_name = current_setting('app.group', true)$$);

create table bulk_lines (
  tenant_id text not null,
  bulk_id uuid not null,
  position integer not null,
  service_line_id bigint not null,
  -- Which of the line's terminals, the first one being 1.
  place smallint not null,
  state text not null default 'waiting' check (state in ('waiting', 'done', 'unchanged', 'failed')),
  -- The value that it gets, and of an undo the one that it must still have: metadata, the id of a pool, or 'on' and 'off'.
  desired text,
  expected text,
  -- The value that it had.
  before text,
  problem text,
  primary key (tenant_id, bulk_id, position),
  foreign key (tenant_id, bulk_id) references bulk_changes (tenant_id, id) on delete cascade,
  foreign key (tenant_id, service_line_id) references service_lines (tenant_id, id)
);
create index bulk_lines_waiting on bulk_lines (tenant_id, bulk_id, position) where state = 'waiting';
call protect_tenant_table('bulk_lines', visible_when => $$
  nullif(current_setting('app.group', true), '') is null or exists (
    select from bulk_changes as change where change.tenant_id = bulk_lines.tenant_id and change.id = bulk_lines.bulk_id)$$);
