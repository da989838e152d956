-- What happened, in the order in which it was committed: what pages list as it comes. Each row is about a line, a pool or an
-- incident, and whoever may see that sees the row.
create table events (
  tenant_id text not null references tenants (id),
  id bigint generated always as identity,
  kind text not null check (kind in ('status', 'alert', 'incident', 'command', 'pool')),
  type text not null,
  -- When it happened.
  at timestamptz not null,
  -- When we learned of it, on the tenant's event clock. Null until the transaction commits.
  noted_at timestamptz,
  service_line_id bigint,
  pool_id bigint,
  incident_id uuid,
  details jsonb not null,
  primary key (tenant_id, id),
  check (num_nonnulls(service_line_id, pool_id, incident_id) = 1)
);
create index events_by_kind on events (tenant_id, kind, noted_at, id);
create index events_by_line on events (tenant_id, service_line_id, noted_at, id) where service_line_id is not null;
create index events_without_line on events (tenant_id, kind, noted_at, id) where service_line_id is null;
create index events_by_incident on events (tenant_id, incident_id) where incident_id is not null;
create index events_by_pool on events (tenant_id, pool_id) where pool_id is not null;
create index events_undated on events (tenant_id) where noted_at is null;
call protect_tenant_table('events');

-- The event clock stays locked until the end of a transaction, so it is advanced in the last moment: nothing is waited for
-- after that, and a reader who has seen an event has seen every earlier one.
create function date_events() returns trigger language plpgsql as $$
declare
  clock timestamptz;
begin
  -- The first row of the transaction dates all of them.
  if not exists (select from events where tenant_id = new.tenant_id and id = new.id and noted_at is null) then
    return null;
  end if;
  insert into event_clocks as known (tenant_id, at)
  values (new.tenant_id, date_trunc('milliseconds', clock_timestamp()))
  on conflict (tenant_id) do update
    set at = greatest(date_trunc('milliseconds', clock_timestamp()), known.at + interval '1 millisecond')
  returning at into clock;
  update events set noted_at = clock where tenant_id = new.tenant_id and noted_at is null;
  perform pg_notify('events', new.tenant_id || ':' || (extract(epoch from clock) * 1000)::bigint);
  return null;
end $$;
create constraint trigger date_events after insert on events deferrable initially deferred
for each row when (new.noted_at is null) execute function date_events();
