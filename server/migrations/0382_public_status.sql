-- Whether anybody can read which areas work, without the names of customers.
alter table tenant_settings add column public_status boolean not null default false;
