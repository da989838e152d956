-- Every process that runs, for operators: a row that it renews, and removes when it stops.
create table processes (
  id uuid primary key,
  roles text not null,
  host text not null,
  pid integer not null,
  version text not null,
  started_at timestamptz not null,
  beat_at timestamptz not null default now(),
  figures jsonb not null
);

-- The figures name tenants, so that no transaction of a tenant sees them.
alter table processes enable row level security;
alter table processes force row level security;
create policy no_tenant on processes using (nullif(current_setting('app.tenant_id', true), '') is null);
grant select, insert, update, delete on processes to dishboard_runtime;
