-- A credential can be deleted by any statement, by cascade too. The worker that reads the vendor with it must notice: the
-- request makes its feed begin again, which finds no credential and ends. The same as enqueue() in the server.
create function request_feed_of_deleted_credential() returns trigger language plpgsql as $$
begin
  insert into job_requests (queue, tenant_id, subject) values ('vendor-feeds', old.tenant_id, old.id::text);
  perform pg_notify('jobs', json_build_array('vendor-feeds', old.tenant_id, old.id::text)::text);
  return null;
end $$;

create trigger request_feed after delete on vendor_credentials
for each row execute function request_feed_of_deleted_credential();
