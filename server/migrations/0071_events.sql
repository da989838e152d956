-- The newest time that an event of the tenant was dated with, or up to which its events were read. The row is locked by
-- whoever advances it until the end of the transaction, so events are dated in the order in which they are committed.
create table event_clocks (
  tenant_id text primary key references tenants (id),
  at timestamptz not null
) with (fillfactor = 50);
call protect_tenant_table('event_clocks');

-- The beginning of a transaction says nothing about when others can see what it added: every writer takes the time from
-- the event clock.
alter table status_intervals alter column noted_at drop default;
