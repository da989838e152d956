-- Links that show what a saved view selects.
alter table share_links add column saved_view_id uuid;
alter table share_links drop constraint share_links_kind_check;
alter table share_links add constraint share_links_kind_check check (kind in ('terminal', 'incident', 'report', 'view'));
alter table share_links drop constraint share_links_check;
alter table share_links add constraint share_links_check
  check (num_nonnulls(service_line_id, incident_id, report_id, saved_view_id) = 1);
alter table share_links add constraint share_links_saved_view
  foreign key (tenant_id, saved_view_id) references saved_views (tenant_id, id) on delete cascade;
create index share_links_by_view on share_links (tenant_id, saved_view_id);
