-- Where each tenant's chain ends. The next entry goes on from here and not from the newest row: after a cut, the numbers
-- of the lost entries are never given again, and the gap stays to be seen.
create table audit_ends (
  tenant_id text primary key references tenants (id),
  seq bigint not null,
  hash bytea not null
);
call protect_tenant_table('audit_ends', 'select, insert, update');

-- The owner of a table is bound by row security like everybody; for this one statement he is not.
alter table audit_log no force row level security;
alter table audit_ends no force row level security;
insert into audit_ends select distinct on (tenant_id) tenant_id, seq, hash from audit_log order by tenant_id, seq desc;
alter table audit_log force row level security;
alter table audit_ends force row level security;

-- What was mailed to the administrators, day by day: whoever rewrites the chain cannot rewrite their mail.
create table audit_heads (
  tenant_id text not null references tenants (id),
  day date not null,
  seq bigint not null,
  hash bytea not null,
  primary key (tenant_id, day)
);
call protect_tenant_table('audit_heads', 'select, insert');
create trigger audit_heads_append_only before update or delete or truncate on audit_heads
  for each statement execute function refuse_audit_change();

create index audit_log_performer on audit_log (tenant_id, performer, seq);
create index audit_log_performee on audit_log (tenant_id, performee, seq);
create index audit_log_action on audit_log (tenant_id, action, seq);
create index audit_log_at on audit_log (tenant_id, at, seq);
