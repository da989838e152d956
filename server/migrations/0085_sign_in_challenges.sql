-- A code belongs to the challenge that the sign-in gave to whoever knew the password. Tries without it are tries at
-- nothing, so that nobody else can use up those of the owner. A code lives ten minutes: those of the version before are dropped.
-- Row security hides the rows from a delete by the owner, but not from truncate.
truncate sign_in_codes;
alter table sign_in_codes drop constraint sign_in_codes_pkey;
alter table sign_in_codes add column challenge_hash bytea not null;
alter table sign_in_codes add primary key (tenant_id, challenge_hash);
create index sign_in_codes_user on sign_in_codes (tenant_id, user_id);
