alter table tenant_settings
  -- What the assistant answers from: [{ "question", "answer", "keywords": [] }].
  add column faq jsonb not null default '[]',
  -- Further origins that the tenant's own widgets talk to.
  add column widget_origins text[] not null default '{}';

create table tickets (
  tenant_id text not null references tenants (id),
  id bigint generated always as identity,
  name text not null,
  email text not null,
  message text not null,
  -- Who was signed in when it was sent.
  user_id bigint,
  address text not null,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id)
);
create index tickets_newest on tickets (tenant_id, created_at);
create index tickets_user on tickets (tenant_id, user_id);
call protect_tenant_table('tickets');
