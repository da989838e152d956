-- The runtime connects as a member of this role. It owns nothing, so row-level security always binds it.
do $$
begin
  if not exists (select from pg_roles where rolname = 'dishboard_runtime') then
    create role dishboard_runtime nologin;
  end if;
end $$;

grant usage on schema public to dishboard_runtime;

-- The directory is what must be known before a tenant is known: which tenants there are, and under which hosts.
-- It holds no customer's data, and the runtime may only read it.
create table tenants (
  id text primary key check (id ~ '^[a-z0-9][a-z0-9_-]{0,39}$'),
  created_at timestamptz not null default now()
);

create table tenant_hosts (
  host text primary key check (host = lower(host) and host !~ '[:/ ]'),
  tenant_id text not null references tenants (id)
);

grant select on tenants, tenant_hosts to dishboard_runtime;

-- Every table that holds a tenant's rows is given to this procedure once, when it is created.
create procedure protect_tenant_table(
  target regclass,
  privileges text default 'select, insert, update, delete',
  visible_when text default 'true'
)
language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format(
    'create policy tenant on %s using (tenant_id = nullif(current_setting(''app.tenant_id'', true), '''') and (%s))',
    target, visible_when);
  if privileges <> '' then
    execute format('grant %s on %s to dishboard_runtime', privileges, target);
  end if;
end $$;

create table tenant_settings (
  tenant_id text primary key references tenants (id),
  -- What GET /config/ answers; exactly {} sends visitors to the marketing page.
  public_config jsonb not null default '{}',
  updated_at timestamptz not null default now()
);
call protect_tenant_table('tenant_settings');
