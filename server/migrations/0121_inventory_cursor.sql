-- Where reading a long list of the vendor goes on after a restart: {"list": "lines" or "terminals", "page": 12}.
alter table vendor_feeds add column cursor jsonb;
