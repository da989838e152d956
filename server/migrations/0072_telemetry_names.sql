do $$
declare
  tier text;
begin
  foreach tier in array array['tier_2min', 'tier_15min', 'tier_1h', 'tier_2h'] loop
    execute format('alter table %I rename column told to non_null_counts', tier);
  end loop;
end $$;

alter table latest rename column heard_at to last_response_at;

alter table tier_work rename to dirty_buckets;
alter table dirty_buckets rename constraint tier_work_pkey to dirty_buckets_pkey;
alter table tier_marks rename to rollup_watermarks;
alter table rollup_watermarks rename constraint tier_marks_pkey to rollup_watermarks_pkey;
