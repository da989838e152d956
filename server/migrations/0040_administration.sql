-- A password that somebody else chose works for a while; null once the person has signed in with it or replaced it.
alter table users add column initial_password_expires_at timestamptz;

-- Who gave or took an item, so that an administrator can see why a person holds it.
alter table feature_grants add column changed_by text not null default '';
alter table feature_grants add column changed_at timestamptz not null default now();
