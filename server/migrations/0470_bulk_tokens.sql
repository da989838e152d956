-- The API token that a change was started with. It stops when the token ends.
alter table bulk_changes add column token_id uuid;
