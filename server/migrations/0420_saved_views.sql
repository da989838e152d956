-- What selects, orders and shows terminals on a page, under a name.
create table saved_views (
  tenant_id text not null references tenants (id),
  id uuid not null,
  owner_id bigint not null,
  name text not null,
  page text not null check (page in ('dashboard', 'table')),
  -- The search of the page's address.
  state jsonb not null,
  audience text not null check (audience in ('nobody', 'group', 'everyone')),
  -- The group that it is shared with.
  group_name text check ((group_name is not null) = (audience = 'group')),
  changed_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, owner_id) references users (tenant_id, id) on delete cascade
);
create unique index saved_views_by_owner on saved_views (tenant_id, owner_id, lower(name));
create index saved_views_shared on saved_views (tenant_id) where audience <> 'nobody';
call protect_tenant_table('saved_views', visible_when => $$
  nullif(current_setting('app.group', true), '') is null or audience = 'everyone'
  or group_name = current_setting('app.group', true) or exists (
    select from users as owner where owner.tenant_id = saved_views.tenant_id and owner.id = saved_views.owner_id
      and owner.group_name = current_setting('app.group', true))$$);
