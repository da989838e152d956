-- The group that a view was shared with when a link to it was made. Such a link never shows more than this group sees.
alter table share_links add column group_name text;
alter table share_links no force row level security;
alter table saved_views no force row level security;
update share_links as link set group_name = view.group_name from saved_views as view
where view.tenant_id = link.tenant_id and view.id = link.saved_view_id;
alter table saved_views force row level security;
alter table share_links force row level security;
