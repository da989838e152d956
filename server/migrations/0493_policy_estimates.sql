-- The same rows as before. Of `nullif(...) is null` the planner expects that it hides 199 of 200 rows, also from administrators,
-- from whom it hides none. Of a column that is compared with settings it knows how many rows fit, because it evaluates them: all of
-- the tenant without a group, because no tenant has an empty id, and otherwise those of the group.
do $$
declare
  own_tenant constant text := $sql$tenant_id = nullif(current_setting('app.tenant_id', true), '')$sql$;
  without_group constant text := $sql$tenant_id <> case when nullif(current_setting('app.group', true), '') is null then '' end$sql$;
  own_group constant text := $sql$group_name = nullif(current_setting('app.group', true), '')$sql$;
  target regclass;
begin
  foreach target in array array['service_lines', 'pools', 'availability_targets', 'bulk_changes', 'reports']::regclass[] loop
    execute format('alter policy tenant on %s using (%s and (%s or %s))', target, own_tenant, without_group, own_group);
  end loop;
  foreach target in array array['incident_decisions', 'incident_decision_losses', 'report_schedules', 'report_recipients',
    'share_links']::regclass[] loop
    execute format('alter policy tenant on %s using (%s and %s)', target, own_tenant, without_group);
  end loop;
end $$;
