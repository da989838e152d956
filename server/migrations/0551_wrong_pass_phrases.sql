-- Of all time: the limit per hour alone would allow half a million in a year.
alter table share_links add column wrong_pass_phrases integer not null default 0;
