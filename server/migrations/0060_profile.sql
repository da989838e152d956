-- What a user is notified of, about which lines and how. Without a row: nothing.
create table notification_settings (
  tenant_id text not null,
  user_id bigint not null,
  by_email boolean not null default false,
  by_sms boolean not null default false,
  -- Ten digits, of the United States or Canada.
  phone_number text check (phone_number ~ '^\d{10}$'),
  status_changes boolean not null default false,
  data_usage boolean not null default false,
  -- Whether the person may see a line is decided when something is sent about it.
  selected_line_ids bigint[] not null default '{}',
  -- Minutes of the person's day between which no text is sent; equal: none are quiet.
  quiet_from_minute smallint not null default 1320 check (quiet_from_minute between 0 and 1439),
  quiet_until_minute smallint not null default 420 check (quiet_until_minute between 0 and 1439),
  time_zone text not null default 'America/Anchorage',
  sms_daily_limit smallint not null default 10 check (sms_daily_limit between 1 and 100),
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index notification_settings_phone on notification_settings (tenant_id, phone_number);
call protect_tenant_table('notification_settings');

-- Who agreed to texts, to which words, when and from where. It outlives the person: it is our proof.
create table sms_consents (
  tenant_id text not null references tenants (id),
  id bigint generated always as identity,
  user_id bigint,
  email text not null,
  text_version text not null,
  address text not null,
  user_agent text not null,
  consented_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete set null (user_id)
);
create index sms_consents_user on sms_consents (tenant_id, user_id);
call protect_tenant_table('sms_consents');

-- Numbers whose owner texted STOP and not yet START.
create table sms_stops (
  tenant_id text not null references tenants (id),
  phone_number text not null,
  stopped_at timestamptz not null,
  primary key (tenant_id, phone_number)
);
call protect_tenant_table('sms_stops');
