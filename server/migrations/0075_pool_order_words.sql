alter table pool_orders rename column wish to desired;
alter table pool_orders rename column asked_at to requested_at;
