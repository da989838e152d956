-- Phone numbers are stored in E.164 form. Until now they were ten digits of the North American plan, without its +1.
alter table notification_settings no force row level security;
alter table sms_stops no force row level security;
alter table messages no force row level security;

alter table notification_settings drop constraint notification_settings_phone_number_check;
update notification_settings set phone_number = '+1' || phone_number where phone_number ~ '^\d{10}$';
update sms_stops set phone_number = '+1' || phone_number where phone_number ~ '^\d{10}$';
update messages set recipient = '+1' || recipient where channel = 'sms' and recipient ~ '^\d{10}$';

alter table notification_settings force row level security;
alter table sms_stops force row level security;
alter table messages force row level security;

alter table notification_settings add check (phone_number ~ '^\+[1-9]\d{6,14}$');
alter table sms_stops add check (phone_number ~ '^\+[1-9]\d{6,14}$');
