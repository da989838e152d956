-- What the vendor was asked to do with a line or a terminal, who asked, and what came of it. A row is committed before the
-- vendor is called, so that after a crash the call is known to have been under way.
create table commands (
  tenant_id text not null references tenants (id),
  id bigint generated always as identity,
  service_line_id bigint not null,
  -- Null where it is for the line as a whole.
  terminal_id bigint,
  kind text not null check (kind in ('reboot', 'ip_policy', 'opt_in', 'snow_melt')),
  wish text,
  state text not null default 'asked'
    check (state in ('asked', 'accepted', 'seen', 'not confirmed', 'refused', 'unknown')),
  asked_by text not null,
  user_id bigint,
  idempotency_key text,
  asked_at timestamptz not null,
  accepted_at timestamptz,
  -- Null while it may still change.
  settled_at timestamptz,
  -- What held when it was asked: a change is seen by its difference from this.
  before jsonb not null,
  problem text,
  primary key (tenant_id, id),
  foreign key (tenant_id, service_line_id) references service_lines (tenant_id, id),
  foreign key (tenant_id, terminal_id) references terminals (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id)
);
-- One at a time: while the vendor is being asked, the same is not asked again.
create unique index commands_under_way on commands (tenant_id, service_line_id, kind, coalesce(terminal_id, 0))
  where state = 'asked';
create unique index commands_key on commands (tenant_id, user_id, idempotency_key) where idempotency_key is not null;
create index commands_line on commands (tenant_id, service_line_id, id);
create index commands_open on commands (tenant_id, id) where settled_at is null;
call protect_tenant_table('commands');

-- The vendor has no call for a snow melt mode, only configurations by id; which of them means what is the tenant's to say.
create table snow_melt_configs (
  tenant_id text not null references tenants (id),
  mode text not null check (mode in ('AUTO', 'ALWAYS_ON', 'ALWAYS_OFF')),
  config_id text not null,
  primary key (tenant_id, mode)
);
call protect_tenant_table('snow_melt_configs');
