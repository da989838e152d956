-- The incidents that the given ones were merged into, with the requested id, and of others their own. Whoever has a link to an
-- incident of their group is led to the whole, which has its losses now, although row-level security hides the part from them.
-- It returns ids only. Row-level security decides what of the whole is shown.
create function follow_merges(tenant text, ids uuid[]) returns table (asked uuid, whole uuid)
language plpgsql as $$
declare
  own_group constant text := coalesce(current_setting('app.group', true), '');
begin
  perform set_config('app.group', '', true);
  return query
    with recursive step as (
      select incident.id as asked_id, incident.id, incident.merged_into from incidents as incident
      where incident.tenant_id = tenant and incident.id = any(ids)
      union
      select step.asked_id, incident.id, incident.merged_into from step
      join incidents as incident on incident.tenant_id = tenant and incident.id = step.merged_into)
    select step.asked_id, step.id from step where step.merged_into is null;
  perform set_config('app.group', own_group, true);
end $$;
