-- Of whom a tenant requires a second factor.
alter table tenant_settings
  add column second_factor_for_admins boolean not null default false,
  add column second_factor_for_users boolean not null default false;
