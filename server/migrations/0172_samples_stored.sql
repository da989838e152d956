-- A process that helps with a backlog stores the samples of a batch before its turn. What depends on the order of batches,
-- such as statuses, is still applied in order.
alter table telemetry_batches add column samples_stored boolean not null default false;
