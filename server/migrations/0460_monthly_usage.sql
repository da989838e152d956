-- The days of a line added up by calendar month, so that months of a large fleet are read without their days.
create table monthly_usage (
  tenant_id text not null,
  service_line_id bigint not null,
  month date not null,
  first_day date not null,
  -- Priority and standard data from the first day of the month to each of 31 days; the last one is the sum of the month.
  used_gb double precision[] not null,
  primary key (tenant_id, service_line_id, month),
  foreign key (tenant_id, service_line_id) references service_lines (tenant_id, id)
);
call protect_tenant_table('monthly_usage');

create function add_up_days(tenant text, line bigint, month date) returns double precision[] language sql stable as $$
  select array_agg(until.gb order by until.number) from (
    select number, coalesce(sum(day.priority_gb + day.standard_gb) over (order by number), 0) as gb
    from generate_series(1, 31) as number
    left join daily_usage as day on day.tenant_id = tenant and day.service_line_id = line and day.day = month + number - 1
      and day.day >= month and day.day < month + interval '1 month'
  ) as until
$$;

create function add_up_months() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  insert into monthly_usage (tenant_id, service_line_id, month, first_day, used_gb)
  select tenant_id, service_line_id, date_trunc('month', day)::date as month, min(day), '{}' from changed
  group by tenant_id, service_line_id, month order by tenant_id, service_line_id, month
  on conflict do nothing;
  -- Whoever writes other days of these months waits here, and then adds up all of them.
  perform from monthly_usage where (tenant_id, service_line_id, month) in (
    select tenant_id, service_line_id, date_trunc('month', day)::date from changed)
  order by tenant_id, service_line_id, month for update;
  update monthly_usage as known set used_gb = add_up_days(known.tenant_id, known.service_line_id, known.month),
    first_day = coalesce((select min(day.day) from daily_usage as day where day.tenant_id = known.tenant_id
      and day.service_line_id = known.service_line_id and day.day >= known.month
      and day.day < known.month + interval '1 month'), known.first_day)
  where (tenant_id, service_line_id, month) in (
    select tenant_id, service_line_id, date_trunc('month', day)::date from changed);
  return null;
end $$;

create trigger add_up_new_days after insert on daily_usage referencing new table as changed
for each statement execute function add_up_months();
create trigger add_up_changed_days after update on daily_usage referencing new table as changed
for each statement execute function add_up_months();

alter table daily_usage no force row level security;
alter table monthly_usage no force row level security;
insert into monthly_usage (tenant_id, service_line_id, month, first_day, used_gb)
select tenant_id, service_line_id, month, first_day, add_up_days(tenant_id, service_line_id, month)
from (
  select tenant_id, service_line_id, date_trunc('month', day)::date as month, min(day) as first_day from daily_usage
  group by 1, 2, 3
) as used;
alter table monthly_usage force row level security;
alter table daily_usage force row level security;
