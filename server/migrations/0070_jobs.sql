-- Background work. A row of jobs says that a queue has work for a tenant (and a subject, such as a credential), due at a
-- time. Only workers write it. Work of the whole installation has the tenant ''.
create table jobs (
  queue text not null,
  tenant_id text not null default '',
  subject text not null default '',
  -- Null while there is nothing to do, and from the claim on until somebody requests the job again.
  due_at timestamptz,
  -- The session of the worker that runs it; it holds an advisory lock on this number for as long as it lives.
  leased_by integer,
  lease_until timestamptz,
  -- Counts the claims. A worker that has lost its lease finds another number here and writes nothing.
  fence bigint not null default 0,
  -- In a row, and ever.
  failures integer not null default 0,
  total_failures bigint not null default 0,
  last_error text,
  finished_at timestamptz,
  primary key (queue, tenant_id, subject),
  check ((leased_by is null) = (lease_until is null))
);
-- When a row can be claimed: once it is due, or once the lease on it has run out.
create index jobs_ready on jobs (queue, coalesce(lease_until, due_at));

-- Requests are rows of their own, folded into jobs by the workers: a transaction that updated the row of a job would hold
-- its lock until it ends, and two transactions that request jobs in different orders would deadlock.
create table job_requests (
  id bigint generated always as identity primary key,
  queue text not null,
  tenant_id text not null default '',
  subject text not null default '',
  due_at timestamptz not null default now()
);

-- A tenant's transaction sees and requests its own jobs only. Workers, which set no tenant, see all.
do $$
declare
  target regclass;
begin
  foreach target in array array['jobs', 'job_requests']::regclass[] loop
    execute format('alter table %s enable row level security', target);
    execute format('alter table %s force row level security', target);
    execute format(
      'create policy tenant on %s using (tenant_id = coalesce(nullif(current_setting(''app.tenant_id'', true), ''''), tenant_id))',
      target);
    execute format('grant select, insert, update, delete on %s to dishboard_runtime', target);
  end loop;
end $$;

-- Messages and orders are claimed by the same code.
alter table messages rename column next_attempt_at to due_at;

-- The queue of a library that carried three jobs before.
drop schema if exists pgboss cascade;
