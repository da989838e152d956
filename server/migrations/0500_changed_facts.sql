-- Lines and terminals that have changed since a time, found without reading the versions of all others.
create index fact_versions_since on fact_versions (tenant_id, kind, known_at, subject_id) where kind in ('line', 'terminal');
