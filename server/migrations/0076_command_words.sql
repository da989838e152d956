alter table commands rename column wish to desired;
alter table commands rename column asked_by to requested_by;
alter table commands rename column asked_at to requested_at;
