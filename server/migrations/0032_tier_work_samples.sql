-- How many new samples fell into the bucket since it was last computed; null where some may have been there already. Who
-- has counted as many while they came need not read them again.
alter table tier_work add column samples integer;
