-- What went down together, and why. All times but opened_at are those of the vendor's rows.
create table incidents (
  tenant_id text not null references tenants (id),
  id uuid not null,
  cause text not null,
  reach text not null,
  confidence real not null check (confidence between 0 and 1),
  started_at timestamptz not null,
  opened_at timestamptz not null,
  ended_at timestamptz,
  terminal_count integer not null,
  place text,
  latitude double precision,
  longitude double precision,
  radius_km integer,
  evidence jsonb not null,
  acknowledged_at timestamptz,
  acknowledged_by bigint,
  note text not null default '',
  snoozed_until timestamptz,
  -- It turned out to be part of another.
  merged_into uuid,
  primary key (tenant_id, id),
  foreign key (tenant_id, acknowledged_by) references users (tenant_id, id) on delete set null (acknowledged_by),
  foreign key (tenant_id, merged_into) references incidents (tenant_id, id)
);
create index incidents_by_start on incidents (tenant_id, started_at desc, id desc);
create index incidents_open on incidents (tenant_id) where ended_at is null;
create index incidents_by_acknowledged_by on incidents (tenant_id, acknowledged_by);
create index incidents_by_merged_into on incidents (tenant_id, merged_into);

-- When a terminal did not work, with what it reported before and after.
create table terminal_losses (
  tenant_id text not null,
  terminal_id bigint not null,
  lost_at timestamptz not null,
  back_at timestamptz,
  disabled boolean not null,
  facts jsonb not null,
  incident_id uuid,
  primary key (tenant_id, terminal_id, lost_at),
  foreign key (tenant_id, terminal_id) references terminals (tenant_id, id),
  foreign key (tenant_id, incident_id) references incidents (tenant_id, id)
);
create unique index terminal_losses_open on terminal_losses (tenant_id, terminal_id) where back_at is null;
create index terminal_losses_by_incident on terminal_losses (tenant_id, incident_id);

-- Users see the losses of their group's lines, and the incidents that these are part of.
call protect_tenant_table('terminal_losses', visible_when => $$
  nullif(current_setting('app.group', true), '') is null or exists (
    select from terminals join service_lines on service_lines.tenant_id = terminals.tenant_id
      and service_lines.id = terminals.service_line_id
    where terminals.tenant_id = terminal_losses.tenant_id and terminals.id = terminal_losses.terminal_id)$$);
call protect_tenant_table('incidents', visible_when => $$
  nullif(current_setting('app.group', true), '') is null or exists (
    select from terminal_losses
    where terminal_losses.tenant_id = incidents.tenant_id and terminal_losses.incident_id = incidents.id)$$);

-- The time on the tenant's event clock up to which status changes have become losses.
create table incident_progress (
  tenant_id text primary key references tenants (id),
  collected_until timestamptz not null
);
call protect_tenant_table('incident_progress');
