-- Whether an administrator gets the daily mail about the editing log.
alter table users add column gets_audit_mail boolean not null default true;
