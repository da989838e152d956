-- What the administrators of a tenant set. Without a retention of its own, the tenant has that of the installation.
alter table tenant_settings
  add column ticket_retention_days integer check (ticket_retention_days between 1 and 36500),
  add column message_retention_days integer check (message_retention_days between 1 and 36500),
  add column security_event_retention_days integer check (security_event_retention_days between 30 and 36500),
  add column time_zone text not null default 'UTC' check (time_zone <> ''),
  add column units text not null default 'metric' check (units in ('metric', 'imperial'));

-- Users who did not choose a zone have that of their tenant.
alter table notification_settings alter column time_zone drop not null;
alter table notification_settings alter column time_zone drop default;
