-- How often a device has started again, counted by its uptime.
alter table latest add column restarts integer not null default 0;
alter table latest_routers add column restarts integer not null default 0;

-- Of the service address, as the vendor reports it.
alter table service_lines add column country text;

-- What early warnings are found from: a row for each terminal, with a value for each day, the oldest first.
create table terminal_figures (
  tenant_id text not null,
  terminal_id bigint not null,
  -- The UTC day of the last value.
  day date not null,
  obstruction real[] not null,
  signal_quality real[] not null,
  restarts smallint[] not null,
  -- Of a year and some weeks, so that a season is known from the last one.
  weekly_obstruction real[] not null,
  weekly_signal_quality real[] not null,
  -- Of the dish and its routers, when they were last looked at.
  restart_count integer not null,
  abroad_since date,
  primary key (tenant_id, terminal_id),
  foreign key (tenant_id, terminal_id) references terminals (tenant_id, id)
) with (fillfactor = 50);
call protect_tenant_table('terminal_figures');

-- The terminal that an early warning is about. It has no losses, because it still works.
alter table incidents add column terminal_id bigint;
alter table incidents add foreign key (tenant_id, terminal_id) references terminals (tenant_id, id);
create index incidents_by_terminal on incidents (tenant_id, terminal_id);
create unique index incidents_open_warning on incidents (tenant_id, terminal_id, cause)
where ended_at is null and terminal_id is not null;
alter policy tenant on incidents using (tenant_id = nullif(current_setting('app.tenant_id', true), '') and (
  nullif(current_setting('app.group', true), '') is null
  or exists (
    select from terminal_losses
    where terminal_losses.tenant_id = incidents.tenant_id and terminal_losses.incident_id = incidents.id)
  or exists (
    select from terminals join service_lines on service_lines.tenant_id = terminals.tenant_id
      and service_lines.id = terminals.service_line_id
    where terminals.tenant_id = incidents.tenant_id and terminals.id = incidents.terminal_id)));

alter table notification_settings add column warnings boolean not null default false;

-- The vendor publishes neither how far from its address a dish may be, nor how long it may roam. 0 km: borders do not matter.
alter table tenant_settings
  add column address_radius_km integer not null default 50 check (address_radius_km between 10 and 5000),
  add column border_km integer not null default 20 check (border_km between 0 and 300),
  add column roaming_days integer not null default 30 check (roaming_days between 1 and 365);
