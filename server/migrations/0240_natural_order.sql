-- Orders names as contract/format/natural-order.ts does: 'Boat 9' before 'Boat 10', whatever their case and accents. An ICU
-- collation would need a PostgreSQL built with ICU, and warns after each update of that library.
create function natural_key(name text) returns text language sql immutable parallel safe as $$
  select coalesce(string_agg(
    case when part[1] ~ '^[0-9]' then lpad(part[1], greatest(12, length(part[1])), '0') else part[1] end, '' order by place), '')
    collate "C"
  from regexp_matches(
    lower(regexp_replace(normalize(name, nfd), '[\u0300-\u036f]', '', 'g')), '[0-9]+|[^0-9]+', 'g') with ordinality as parts (part, place)
$$;
