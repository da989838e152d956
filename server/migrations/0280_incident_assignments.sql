-- Which incident each loss was part of, and from when on that was known on the tenant's event clock. Rows are only added, so
-- that notifications can be planned again as they were.
create table incident_assignments (
  tenant_id text not null,
  terminal_id bigint not null,
  lost_at timestamptz not null,
  known_at timestamptz not null,
  incident_id uuid not null,
  primary key (tenant_id, terminal_id, lost_at, known_at),
  foreign key (tenant_id, terminal_id, lost_at) references terminal_losses (tenant_id, terminal_id, lost_at) on delete cascade,
  foreign key (tenant_id, incident_id) references incidents (tenant_id, id) on delete cascade
);
create index incident_assignments_by_known_at on incident_assignments (tenant_id, known_at);
create index incident_assignments_by_incident on incident_assignments (tenant_id, incident_id);

-- The losses of before are dated as if they had been judged in time.
alter table terminal_losses no force row level security;
insert into incident_assignments (tenant_id, terminal_id, lost_at, known_at, incident_id)
select tenant_id, terminal_id, lost_at, lost_at + interval '195 seconds', incident_id
from terminal_losses
where incident_id is not null;
alter table terminal_losses force row level security;

call protect_tenant_table('incident_assignments', visible_when => $$
  nullif(current_setting('app.group', true), '') is null or exists (
    select from terminals join service_lines on service_lines.tenant_id = terminals.tenant_id
      and service_lines.id = terminals.service_line_id
    where terminals.tenant_id = incident_assignments.tenant_id and terminals.id = incident_assignments.terminal_id)$$);

-- Stored states of notifications know of no incident yet.
alter table notification_states no force row level security;
update notification_states
set state = jsonb_set(state, '{terminals}', (
  select jsonb_object_agg(key, value || jsonb_build_object(
    'lostAtMs', value -> 'sinceMs', 'incidentId', null, 'hasJoined', false, 'isWaiting', false))
  from jsonb_each(state -> 'terminals')))
where state -> 'terminals' <> '{}';
alter table notification_states force row level security;
