-- Who gets reports, about what, and when. Without a group they are about the whole tenant.
create table report_schedules (
  tenant_id text not null references tenants (id),
  id uuid not null,
  name text not null,
  group_name text,
  period text not null check (period in ('week', 'month')),
  time_zone text not null,
  -- When they are sent, on the day after the period.
  send_minute smallint not null check (send_minute between 0 and 1439),
  -- The first day of the period that is reported next, and when that is.
  next_day date not null,
  next_at timestamptz not null,
  -- The first day of a period that is to be sent at once.
  requested_day date,
  primary key (tenant_id, id)
);
create index report_schedules_due on report_schedules (tenant_id, next_at);
call protect_tenant_table('report_schedules', visible_when => $$nullif(current_setting('app.group', true), '') is null$$);

create table report_recipients (
  tenant_id text not null,
  schedule_id uuid not null,
  user_id bigint not null,
  primary key (tenant_id, schedule_id, user_id),
  foreign key (tenant_id, schedule_id) references report_schedules (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index report_recipients_by_user on report_recipients (tenant_id, user_id);
call protect_tenant_table('report_recipients', visible_when => $$nullif(current_setting('app.group', true), '') is null$$);

-- The figures of a period as they were when the report was made. Nobody can change them.
create table reports (
  tenant_id text not null references tenants (id),
  id uuid not null,
  -- Without a foreign key: a report outlives its schedule.
  schedule_id uuid not null,
  name text not null,
  -- Whose terminals it is about; without a group everybody's.
  group_name text,
  period text not null check (period in ('week', 'month')),
  first_day date not null,
  last_day date not null,
  made_at timestamptz not null,
  figures jsonb not null,
  primary key (tenant_id, id),
  unique nulls not distinct (tenant_id, schedule_id, period, first_day, group_name)
);
create index reports_newest on reports (tenant_id, made_at, id);
call protect_tenant_table('reports', privileges => 'select, insert, delete', visible_when => $$
  nullif(current_setting('app.group', true), '') is null or group_name = current_setting('app.group', true)$$);
