-- What a scrape of the metrics counts besides waiting jobs: few rows of many, so that it reads no others.
create index jobs_leased on jobs (queue) where leased_by is not null;
create index jobs_failing on jobs (queue) where failures > 0;
create index jobs_failed on jobs (queue) include (total_failures) where total_failures > 0;
