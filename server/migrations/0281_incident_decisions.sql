-- What people decided about which losses are one incident. The judging function takes it as input.
create table incident_decisions (
  tenant_id text not null references tenants (id),
  id uuid not null,
  kind text not null check (kind in ('merge', 'split')),
  -- The incident that the losses became.
  incident_id uuid not null,
  decided_at timestamptz not null,
  decided_by bigint,
  withdrawn_at timestamptz,
  primary key (tenant_id, id),
  -- Judging creates the incident in the same transaction.
  foreign key (tenant_id, incident_id) references incidents (tenant_id, id) on delete cascade deferrable initially deferred,
  foreign key (tenant_id, decided_by) references users (tenant_id, id) on delete set null (decided_by)
);
create index incident_decisions_by_incident on incident_decisions (tenant_id, incident_id);
create index incident_decisions_by_decided_by on incident_decisions (tenant_id, decided_by);
call protect_tenant_table('incident_decisions', visible_when => $$nullif(current_setting('app.group', true), '') is null$$);

-- The losses that a decision is about, and the incident of each before it.
create table incident_decision_losses (
  tenant_id text not null,
  decision_id uuid not null,
  terminal_id bigint not null,
  lost_at timestamptz not null,
  former_id uuid not null,
  primary key (tenant_id, decision_id, terminal_id, lost_at),
  foreign key (tenant_id, decision_id) references incident_decisions (tenant_id, id) on delete cascade,
  foreign key (tenant_id, terminal_id, lost_at) references terminal_losses (tenant_id, terminal_id, lost_at) on delete cascade,
  foreign key (tenant_id, former_id) references incidents (tenant_id, id) on delete cascade
);
create index incident_decision_losses_by_loss on incident_decision_losses (tenant_id, terminal_id, lost_at);
create index incident_decision_losses_by_former on incident_decision_losses (tenant_id, former_id);
call protect_tenant_table('incident_decision_losses', visible_when => $$nullif(current_setting('app.group', true), '') is null$$);
