-- Links that show one thing to whoever has them. The secret is in the address, and only its hash is here.
create table share_links (
  tenant_id text not null references tenants (id),
  id uuid not null,
  secret_hash bytea not null,
  kind text not null check (kind in ('terminal', 'incident', 'report')),
  service_line_id bigint,
  incident_id uuid,
  report_id uuid,
  -- What it shows, by its name when the link was made.
  title text not null,
  pass_phrase_hash text,
  created_at timestamptz not null,
  -- A link shows what its administrator may see, and ends with them.
  created_by bigint not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  opened integer not null default 0,
  last_opened_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, secret_hash),
  foreign key (tenant_id, service_line_id) references service_lines (tenant_id, id),
  foreign key (tenant_id, incident_id) references incidents (tenant_id, id) on delete cascade,
  foreign key (tenant_id, report_id) references reports (tenant_id, id) on delete cascade,
  foreign key (tenant_id, created_by) references users (tenant_id, id) on delete cascade,
  check (num_nonnulls(service_line_id, incident_id, report_id) = 1)
);
create index share_links_by_line on share_links (tenant_id, service_line_id);
create index share_links_by_incident on share_links (tenant_id, incident_id);
create index share_links_by_report on share_links (tenant_id, report_id);
create index share_links_by_creator on share_links (tenant_id, created_by);
call protect_tenant_table('share_links', visible_when => $$nullif(current_setting('app.group', true), '') is null$$);
