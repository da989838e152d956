-- The customer who sees what happened, so that a page of any group is read by its key. An event of a line or a pool has the
-- group of that. An incident can concern several customers: each has a row, beside the one that administrators see.
alter table events add column group_name text;

alter table events no force row level security;
alter table service_lines no force row level security;
alter table pools no force row level security;
alter table incidents no force row level security;
alter table terminal_losses no force row level security;
alter table terminals no force row level security;

update events as event set group_name = line.group_name from service_lines as line
where line.tenant_id = event.tenant_id and line.id = event.service_line_id;
update events as event set group_name = pool.group_name from pools as pool
where pool.tenant_id = event.tenant_id and pool.id = event.pool_id;

drop index events_by_kind;
drop index events_without_line;
create index events_by_kind on events (tenant_id, kind, noted_at, id) where incident_id is null or group_name is null;
create index events_by_group on events (tenant_id, group_name, kind, noted_at, id) where group_name is not null;
create index events_of_incidents on events (tenant_id, noted_at) where incident_id is not null and group_name is not null;

-- The customers whose terminals are part of an incident.
create function list_incident_groups(tenant text, incident uuid) returns table (group_name text) language sql stable as $$
  select line.group_name from terminal_losses as loss
  join terminals as terminal on terminal.tenant_id = loss.tenant_id and terminal.id = loss.terminal_id
  join service_lines as line on line.tenant_id = terminal.tenant_id and line.id = terminal.service_line_id
  where loss.tenant_id = tenant and loss.incident_id = incident
  union
  select line.group_name from incidents as warning
  join terminals as terminal on terminal.tenant_id = warning.tenant_id and terminal.id = warning.terminal_id
  join service_lines as line on line.tenant_id = terminal.tenant_id and line.id = terminal.service_line_id
  where warning.tenant_id = tenant and warning.id = incident $$;

insert into events (tenant_id, kind, type, at, noted_at, incident_id, group_name, details)
select event.tenant_id, event.kind, event.type, event.at, event.noted_at, event.incident_id, concerned.group_name, event.details
from events as event cross join lateral list_incident_groups(event.tenant_id, event.incident_id) as concerned
where event.incident_id is not null
order by event.id;

alter table terminals force row level security;
alter table terminal_losses force row level security;
alter table incidents force row level security;
alter table pools force row level security;
alter table service_lines force row level security;
alter table events force row level security;

-- Rows without a date are those of the transaction that writes them.
alter policy tenant on events using (tenant_id = nullif(current_setting('app.tenant_id', true), '') and (
  nullif(current_setting('app.group', true), '') is null or noted_at is null
  or group_name = current_setting('app.group', true)));

create or replace function date_events() returns trigger language plpgsql as $$
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
  with dated as (
    update events as event set noted_at = clock, group_name = coalesce(
      event.group_name,
      (select line.group_name from service_lines as line
        where line.tenant_id = event.tenant_id and line.id = event.service_line_id),
      (select pool.group_name from pools as pool where pool.tenant_id = event.tenant_id and pool.id = event.pool_id))
    where event.tenant_id = new.tenant_id and event.noted_at is null
    returning event.*)
  insert into events (tenant_id, kind, type, at, noted_at, incident_id, group_name, details)
  select dated.tenant_id, dated.kind, dated.type, dated.at, clock, dated.incident_id, concerned.group_name, dated.details
  from dated cross join lateral list_incident_groups(dated.tenant_id, dated.incident_id) as concerned
  where dated.incident_id is not null and dated.group_name is null
  order by dated.id;
  perform pg_notify('events', new.tenant_id || ':' || (extract(epoch from clock) * 1000)::bigint);
  return null;
end $$;

-- What happened to a line or a pool goes with it to another customer.
create function move_line_events() returns trigger language plpgsql as $$
begin
  update events set group_name = new.group_name where tenant_id = new.tenant_id and service_line_id = new.id;
  insert into events (tenant_id, kind, type, at, noted_at, incident_id, group_name, details)
  select event.tenant_id, event.kind, event.type, event.at, event.noted_at, event.incident_id, new.group_name, event.details
  from events as event
  where event.tenant_id = new.tenant_id and event.group_name is null and event.noted_at is not null
    and event.incident_id in (
      select loss.incident_id from terminals as terminal
      join terminal_losses as loss on loss.tenant_id = terminal.tenant_id and loss.terminal_id = terminal.id
      where terminal.tenant_id = new.tenant_id and terminal.service_line_id = new.id
      union all
      select warning.id from terminals as terminal
      join incidents as warning on warning.tenant_id = terminal.tenant_id and warning.terminal_id = terminal.id
      where terminal.tenant_id = new.tenant_id and terminal.service_line_id = new.id)
    and not exists (
      select from events as known
      where known.tenant_id = event.tenant_id and known.incident_id = event.incident_id and known.type = event.type
        and known.group_name = new.group_name and (known.noted_at = event.noted_at or event.type = 'incident.opened'))
  order by event.id;
  return null;
end $$;
create trigger move_line_events after update of group_name on service_lines for each row
when (new.group_name is distinct from old.group_name) execute function move_line_events();

create function move_pool_events() returns trigger language plpgsql as $$
begin
  update events set group_name = new.group_name where tenant_id = new.tenant_id and pool_id = new.id;
  return null;
end $$;
create trigger move_pool_events after update of group_name on pools for each row
when (new.group_name is distinct from old.group_name) execute function move_pool_events();
