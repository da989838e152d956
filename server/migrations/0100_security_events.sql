-- What concerns the security of accounts: sign-ins and failures, codes, sessions, rights, exports. Unlike the audit log it
-- is purged after a time, and repeated failures are folded into one row with a count, so that guessing cannot fill it.
create table security_events (
  tenant_id text not null references tenants (id),
  id bigint generated always as identity,
  kind text not null,
  -- The first and the newest occurrence.
  at timestamptz not null,
  last_at timestamptz not null,
  count integer not null default 1,
  -- The account that it concerns; without an id if there is none of this name, or none any more.
  user_id bigint,
  account text not null,
  -- Who caused it: an e-mail address, or the name of a job or command.
  actor text not null,
  address text not null,
  -- The address without the part that changes with a visitor's connection: tells a known place from a new one.
  network text not null,
  device text not null,
  details jsonb not null default '{}',
  -- Equal for occurrences that are folded into this row.
  fold_key bytea,
  -- How many of the occurrences the log of the operator has received.
  sent_count integer not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id)
);
call protect_tenant_table('security_events');

create unique index security_events_fold on security_events (tenant_id, fold_key);
create index security_events_at on security_events (tenant_id, at);
create index security_events_user on security_events (tenant_id, user_id, id);
create index security_events_account on security_events (tenant_id, lower(account), id);
create index security_events_kind on security_events (tenant_id, kind, id);
create index security_events_unsent on security_events (tenant_id, id) where sent_count < count;
