-- Consent to texts is given for a number. Without one it was given before the user entered a number, and holds for the first.
alter table sms_consents add column phone_number text;

-- When the user entered the code that was sent to the number. Until then it gets nothing else.
alter table notification_settings add column phone_verified_at timestamptz;

-- Users who agreed and have a number stay as they are.
alter table sms_consents no force row level security;
alter table notification_settings no force row level security;
update sms_consents as consent set phone_number = setting.phone_number
from notification_settings as setting
where setting.tenant_id = consent.tenant_id and setting.user_id = consent.user_id;
update notification_settings as setting set phone_verified_at = now()
where exists (select from sms_consents as consent
  where consent.tenant_id = setting.tenant_id and consent.user_id = setting.user_id
    and consent.phone_number = setting.phone_number);
alter table sms_consents force row level security;
alter table notification_settings force row level security;

-- The newest code that was sent to verify a user's number. Tries are counted before anything is compared.
create table phone_codes (
  tenant_id text not null,
  user_id bigint not null,
  phone_number text not null,
  code_hash bytea not null,
  tries integer not null default 0,
  expires_at timestamptz not null,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
call protect_tenant_table('phone_codes');

alter table tenant_settings
  -- How many texts may be sent in a calendar month (UTC).
  add column sms_monthly_budget integer not null default 1000 check (sms_monthly_budget >= 0);

-- How many texts of the month were sent or tried, and when administrators were notified that no more are sent.
create table sms_months (
  tenant_id text not null references tenants (id),
  month date not null,
  texts integer not null default 0,
  exhausted_at timestamptz,
  primary key (tenant_id, month)
);
call protect_tenant_table('sms_months');
