-- The keys of stored states take the names that the code has for them. No other text in a state contains these keys.
alter table notification_states no force row level security;
update notification_states
set state = replace(replace(state::text, '"told":', '"notified":'), '"toldAtMs":', '"notifiedAtMs":')::jsonb
where state::text like '%"told%';
alter table notification_states force row level security;
