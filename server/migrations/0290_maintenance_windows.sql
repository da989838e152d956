-- Maintenance that administrators planned. It is about one line, a group, or the lines in an area that do not move.
create table maintenance_windows (
  tenant_id text not null references tenants (id),
  id uuid not null,
  name text not null,
  service_line_id bigint,
  group_name text,
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  radius_km integer check (radius_km > 0),
  repeats text not null check (repeats in ('once', 'weekly', 'monthly')),
  -- Of the week, where 1 is Monday, or of the month.
  days smallint[] not null default '{}',
  first_day date not null,
  last_day date,
  start_minute smallint not null check (start_minute between 0 and 1439),
  length_minutes integer not null check (length_minutes > 0),
  -- The tenant's when it was planned: what has passed stays where it was when the tenant moves.
  time_zone text not null,
  -- It counts between these times, so that nobody can plan what has happened already.
  entered_at timestamptz not null,
  ended_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, service_line_id) references service_lines (tenant_id, id),
  check (num_nonnulls(service_line_id, group_name, radius_km) = 1),
  check (num_nonnulls(latitude, longitude, radius_km) in (0, 3))
);
create index maintenance_windows_by_line on maintenance_windows (tenant_id, service_line_id);

-- Users see the windows of their group and its lines, and those of areas. Which areas concern them is decided where positions are known.
call protect_tenant_table('maintenance_windows', visible_when => $$
  nullif(current_setting('app.group', true), '') is null or group_name = current_setting('app.group', true)
  or radius_km is not null or exists (
    select from service_lines
    where service_lines.tenant_id = maintenance_windows.tenant_id
      and service_lines.id = maintenance_windows.service_line_id)$$);
