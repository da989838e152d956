-- Append-only, chained by hash per tenant: each entry's hash covers the one before it.
create table audit_log (
  tenant_id text not null references tenants (id),
  seq bigint not null,
  at timestamptz not null,
  performer text not null,
  action text not null,
  performee text not null,
  details jsonb not null,
  previous_hash bytea not null,
  hash bytea not null,
  primary key (tenant_id, seq)
);
call protect_tenant_table('audit_log', 'select, insert');

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'The audit log is append-only.';
end $$;
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_audit_change();
