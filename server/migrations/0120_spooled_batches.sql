-- A response of the vendor is on the disk of the process that received it until it is committed here. Its id makes storing
-- it again, after a crash between the commit and the removal of the file, do nothing.
alter table telemetry_batches add column response_id uuid;
create unique index telemetry_batches_response on telemetry_batches (tenant_id, response_id);
