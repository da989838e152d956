-- When lines and terminals were removed, found without reading every version: availability asks for those of the whole tenant.
create index fact_versions_removed on fact_versions (tenant_id, kind, known_at, subject_id)
where kind in ('line', 'terminal') and facts ->> 'removed_at' is not null;
