-- Replaces counts per window by levels that drain, so that a pause can grow and a refused attempt counts nowhere. The old
-- counts would have expired within a day.
drop table sign_in_attempts;

-- Keys are hashed: the table reveals to nobody who tried.
create table rate_limits (
  tenant_id text not null references tenants (id),
  key bytea not null,
  level double precision not null,
  updated_at timestamptz not null,
  paused_until timestamptz not null,
  -- When the level is zero and the row means nothing any more.
  expires_at timestamptz not null,
  primary key (tenant_id, key)
);
create index rate_limits_expiry on rate_limits (tenant_id, expires_at);
call protect_tenant_table('rate_limits');
