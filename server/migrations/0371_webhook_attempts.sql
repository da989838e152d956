-- Each attempt to deliver an event. It is written before anything is sent, so that one without a duration is under way, or its
-- worker died.
create table webhook_attempts (
  tenant_id text not null,
  delivery_id uuid not null,
  -- The fence of the delivery, which a request to send again also raises: not every number is used.
  attempt integer not null,
  started_at timestamptz not null,
  duration_ms integer,
  response_status integer,
  -- Its first characters.
  response_body text,
  problem text,
  primary key (tenant_id, delivery_id, attempt),
  foreign key (tenant_id, delivery_id) references webhook_deliveries (tenant_id, id) on delete cascade
);
call protect_tenant_table('webhook_attempts');

insert into webhook_attempts (tenant_id, delivery_id, attempt, started_at, duration_ms, response_status, response_body, problem)
  select tenant_id, id, attempts, attempted_at, duration_ms, response_status, response_body, problem
  from webhook_deliveries where attempted_at is not null;
alter table webhook_deliveries drop column duration_ms, drop column response_body;
