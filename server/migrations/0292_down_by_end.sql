-- What was down in a period is found by its end: most periods that are looked at are recent. On the plain column, because the
-- planner has no statistics for an expression of a partial index.
drop index status_intervals_down;
create index status_intervals_down on status_intervals (tenant_id, ended_at) where status <> 'online' or disabled;
