-- Since when a tenant's status changes have been turned into incidents; null if it is not known. Reports name it, because their
-- periods can begin earlier: outages are known from then too.
alter table incident_progress add column collected_since timestamptz;
