-- What was known about a line, a terminal or a pool, and from when on. Each change adds a row, whatever made it, so that the
-- fleet of any later time can be rebuilt as it was shown then. `facts` is null once there is nothing to know any more.
--   line: names, place, plan and metadata · terminal: its line and kit · report: what the terminal reported, when its alerts,
--   cell or status changed · address: IP addresses · member: the pool of a line · pool: name, use and limit · usage: of the
--   newest cycle of a line
create table fact_versions (
  tenant_id text not null references tenants (id),
  kind text not null check (kind in ('line', 'terminal', 'report', 'address', 'member', 'pool', 'usage')),
  subject_id bigint not null,
  known_at timestamptz not null,
  facts jsonb,
  primary key (tenant_id, kind, subject_id, known_at)
);
call protect_tenant_table('fact_versions', 'select, insert, delete', $$
  nullif(current_setting('app.group', true), '') is null or case kind
    when 'line' then exists (
      select from service_lines
      where service_lines.tenant_id = fact_versions.tenant_id and service_lines.id = fact_versions.subject_id)
    when 'pool' then exists (
      select from pools where pools.tenant_id = fact_versions.tenant_id and pools.id = fact_versions.subject_id)
    else true end$$);

-- Each kind has a function of its own, generated with the names of its columns: choosing them from a row of JSON would take
-- longer than writing the rest of a batch.
do $$
declare
  recorded record;
  build text;
  is_changed text;
  insert_version text := 'insert into fact_versions (tenant_id, kind, subject_id, known_at, facts)';
begin
  for recorded in
    select * from (values
      ('line', 'service_lines', 'id', array['nickname', 'custom_name', 'metadata1', 'metadata2', 'metadata3',
        'is_mobile', 'latitude', 'longitude', 'street', 'city', 'state', 'product_name', 'opt_in_product_id', 'public_ip',
        'removed_at'], '{}'::text[]),
      ('terminal', 'terminals', 'id', array['service_line_id', 'kit_serial', 'removed_at'], '{}'),
      ('report', 'latest', 'terminal_id', array['at', 'alerts', 'h3_cell', 'uptime_s', 'downlink_mbps', 'uplink_mbps',
        'latency_ms', 'ping_drop', 'obstruction', 'signal_quality'], array['alerts', 'h3_cell']),
      ('address', 'latest_addresses', 'terminal_id', array['ipv4', 'ipv6_ue', 'ipv6_cpe'], '{}'),
      ('member', 'pool_lines', 'service_line_id', array['pool_id'], '{}'),
      ('pool', 'pools', 'id', array['name', 'group_name', 'used_gb', 'usage_limit_gb', 'top_up_gb'], '{}'),
      ('usage', 'line_usage', 'service_line_id', array['cycle_start', 'cycle_end', 'priority_gb', 'standard_gb',
        'usage_limit_gb', 'data_blocks'], '{}')
    ) as known (kind, source, subject, facts, watched)
  loop
    select format('jsonb_build_object(%s)', string_agg(format('%1$L, new.%1$I', each), ', ')) into build
    from unnest(recorded.facts) as each;
    select string_agg(format('new.%1$I is distinct from old.%1$I', each), ' or ') into is_changed
    from unnest(case when recorded.watched = '{}' then recorded.facts else recorded.watched end) as each;
    execute format($function$
      create function %I() returns trigger language plpgsql as $body$
      begin
        %s
        %s values (new.tenant_id, %L, new.%I, clock_timestamp(), %s) on conflict do nothing;
        return null;
      end $body$ $function$,
      format('record_%s_facts', recorded.kind),
      -- The vendor reports earlier cycles again and again. Pages show the newest one.
      case recorded.kind when 'usage' then 'if exists (select from line_usage where tenant_id = new.tenant_id
        and service_line_id = new.service_line_id and cycle_start > new.cycle_start) then return null; end if;' else '' end,
      insert_version, recorded.kind, recorded.subject, build);
    execute format('create trigger record_new_facts after insert on %I for each row execute function %I()',
      recorded.source, format('record_%s_facts', recorded.kind));
    execute format('create trigger record_changed_facts after update on %I for each row when (%s) execute function %I()',
      recorded.source, is_changed, format('record_%s_facts', recorded.kind));

    -- Between two changes of its alerts or cell, a terminal's newest values are among the samples. After it went silent they
    -- would have to be searched for, so they are recorded with the change of its status.
    if recorded.kind = 'report' then
      execute format($function$
        create function record_report_at_edge() returns trigger language plpgsql as $body$
        begin
          %s select tenant_id, 'report', terminal_id, clock_timestamp(), %s
          from latest where tenant_id = new.tenant_id and terminal_id = new.terminal_id
          on conflict do nothing;
          return null;
        end $body$ $function$, insert_version, replace(build, 'new.', 'latest.'));
    end if;

    -- What is there now is known from now on.
    execute format('alter table %I no force row level security', recorded.source);
    alter table fact_versions no force row level security;
    execute format('%s select tenant_id, %L, %I, now(), %s from %s as new', insert_version, recorded.kind,
      recorded.subject, build,
      case recorded.kind when 'usage' then
        '(select distinct on (tenant_id, service_line_id) * from line_usage order by tenant_id, service_line_id, cycle_start desc)'
        else quote_ident(recorded.source) end);
    alter table fact_versions force row level security;
    execute format('alter table %I force row level security', recorded.source);
  end loop;
end $$;

create trigger record_report after insert on status_intervals for each row
when (new.ended_at is null) execute function record_report_at_edge();

create function record_end_of_membership() returns trigger language plpgsql as $$
begin
  insert into fact_versions (tenant_id, kind, subject_id, known_at)
  values (old.tenant_id, 'member', old.service_line_id, clock_timestamp()) on conflict do nothing;
  return null;
end $$;

create trigger record_end_of_membership after delete on pool_lines for each row
execute function record_end_of_membership();
