-- Whoever owns the database can compute hashes. A seal needs a key that is not in the database.
alter table audit_log
  add column key_id text,
  -- Null in entries that were written before there were seals; an anchor covers them.
  add column seal bytea,
  add check ((key_id is null) = (seal is null));

-- The end of the chain as of the newest anchor.
alter table audit_ends add column anchored_seq bigint not null default 0;

-- Signed statements of which hash an entry has. They are also written outside of the database.
create table audit_anchors (
  tenant_id text not null references tenants (id),
  seq bigint not null,
  hash bytea not null,
  at timestamptz not null,
  key_id text not null,
  signature bytea not null,
  primary key (tenant_id, seq, key_id)
);
call protect_tenant_table('audit_anchors', 'select, insert');
create trigger audit_anchors_append_only before update or delete or truncate on audit_anchors
  for each statement execute function refuse_audit_change();
