-- Messages to people outside: written in the transaction that causes them, delivered afterwards. A message is never lost; after a
-- crash a mail may leave twice, and then with the same message_id.
create table messages (
  tenant_id text not null references tenants (id),
  id uuid not null default gen_random_uuid(),
  channel text not null check (channel in ('email', 'sms')),
  recipient text not null check (recipient !~ '[[:cntrl:]]'),
  reply_to text check (reply_to !~ '[[:cntrl:]]'),
  subject text not null default '' check (subject !~ '[[:cntrl:]]'),
  text text not null,
  html text,
  message_id text not null,
  -- A body with a password or a code is erased as soon as nobody needs it any more.
  is_secret boolean not null default false,
  state text not null default 'queued' check (state in ('queued', 'sending', 'sent', 'failed', 'unknown')),
  attempts integer not null default 0,
  -- While it is being sent: when another process may take it over.
  next_attempt_at timestamptz not null default now(),
  -- After this it is of no use and is not sent any more.
  expires_at timestamptz,
  last_error text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (tenant_id, id)
);
create index messages_due on messages (tenant_id, next_attempt_at) where state in ('queued', 'sending');
create index messages_newest on messages (tenant_id, created_at);
call protect_tenant_table('messages');
