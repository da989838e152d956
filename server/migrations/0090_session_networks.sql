-- The network of one customer that a session was started from: an IPv4 address, or the /64 of an IPv6 address. Sign-ins
-- from networks that are known are checked first, and guesses of others do not stop them. Older sessions over IPv6 have
-- none; their users are known again after the next sign-in.
alter table sessions add network text not null default '';

alter table sessions no force row level security;
update sessions set network = address where address ~ '^\d+\.\d+\.\d+\.\d+$';
alter table sessions force row level security;

create index sessions_network on sessions (tenant_id, network, user_id);
