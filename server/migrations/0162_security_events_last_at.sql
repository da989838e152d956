-- Pages list events by their newest occurrence.
create index security_events_last_at on security_events (tenant_id, last_at, id);
