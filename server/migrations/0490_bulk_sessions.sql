-- The session that a change was started in. It stops when the session ends.
alter table bulk_changes add column session_id uuid;
