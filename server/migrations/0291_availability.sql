-- When terminals did not work is read for a whole fleet and year at once.
create index status_intervals_down on status_intervals (tenant_id, terminal_id, started_at) include (ended_at)
  where status <> 'online' or disabled;

-- The availability that a group was promised.
create table availability_targets (
  tenant_id text not null references tenants (id),
  group_name text not null,
  percent double precision not null check (percent between 1 and 100),
  primary key (tenant_id, group_name)
);
call protect_tenant_table('availability_targets', visible_when => $$
  nullif(current_setting('app.group', true), '') is null or group_name = current_setting('app.group', true)$$);
