-- Whether Citus has spread a table over nodes. Without the extension its catalogue does not exist, so the query is planned
-- only where it does.
create function is_distributed(target regclass) returns boolean language plpgsql stable as $$
begin
  if to_regclass('pg_catalog.pg_dist_partition') is null then return false; end if;
  return exists (select from pg_catalog.pg_dist_partition where logicalrelid = target and partmethod = 'h');
end $$;
grant execute on function is_distributed(regclass) to dishboard_runtime;
