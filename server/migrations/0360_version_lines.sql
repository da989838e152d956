-- The line that a terminal was on, so that the terminals of one line are found without reading those of the whole tenant. An
-- index of the expression would not be used: row-level security allows that only for functions that are leakproof.
alter table fact_versions add column line_id bigint generated always as (
  case when kind = 'terminal' then (facts ->> 'service_line_id')::bigint end) stored;
create index fact_versions_line on fact_versions (tenant_id, line_id) where line_id is not null;
