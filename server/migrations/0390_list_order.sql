-- In which order a user wants the terminals of the dashboard.
alter table users add column list_order text not null default 'name' check (list_order in ('name', 'worst', 'latest'));
