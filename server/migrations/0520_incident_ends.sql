-- The incidents that may still change, among those of more than a year, each time a status changes.
create index incidents_by_end on incidents (tenant_id, ended_at);
