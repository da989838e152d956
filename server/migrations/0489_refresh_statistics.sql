-- Until PostgreSQL analyzes a table, which it does at most once a minute, it expects one row of a tenant that is not in the
-- table's statistics, and may then compare all rows of a large account with each other. Only the owner may analyze a table;
-- the runtime asks through this function after it has written rows of a tenant.
create function refresh_statistics(name text, written integer) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  plan json;
begin
  execute format('explain (format json) select from %I where tenant_id = %L', name, current_setting('app.tenant_id'))
  into plan;
  if (plan -> 0 -> 'Plan' ->> 'Plan Rows')::double precision * 10 >= written then return false; end if;
  -- Whoever holds the lock is analyzing the table, or replacing it.
  execute format('analyze (skip_locked) %I', name);
  return true;
end $$;

revoke all on function refresh_statistics(text, integer) from public;
grant execute on function refresh_statistics(text, integer) to dishboard_runtime;
