alter table tickets
  -- Counted per tenant. Tickets from before have none: their mails name the id.
  add column number integer,
  -- Where it was opened: the path of the page, and the name of the terminal that it showed, if the sender sees it.
  add column page text,
  add column terminal text,
  -- What was asked of the assistant before: [{ "question", "answer" }].
  add column conversation jsonb not null default '[]';
create unique index tickets_number on tickets (tenant_id, number);

-- The last number that was given. It outlives the tickets, so that no number is given twice.
alter table tenant_settings add column last_ticket_number integer not null default 0;
alter table tickets no force row level security;
alter table tenant_settings no force row level security;
update tenant_settings as setting set last_ticket_number = newest.id
from (select tenant_id, max(id) as id from tickets group by tenant_id) as newest
where newest.tenant_id = setting.tenant_id;
alter table tickets force row level security;
alter table tenant_settings force row level security;
