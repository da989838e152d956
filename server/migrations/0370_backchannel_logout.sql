-- The provider's own id of the session (`sid`), by which it announces that a user has signed out there; null if it states none.
alter table sso_sessions add column provider_session text;
create index sso_sessions_by_subject on sso_sessions (tenant_id, issuer, subject);
create index sso_sessions_by_provider_session on sso_sessions (tenant_id, issuer, provider_session);

-- Announcements that were received, for as long as they could be sent again.
create table sso_logout_tokens (
  tenant_id text not null references tenants (id),
  token_hash bytea not null,
  expires_at timestamptz not null,
  primary key (tenant_id, token_hash)
);
call protect_tenant_table('sso_logout_tokens');
