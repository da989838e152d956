alter table tickets
  -- Counted per tenant. Tickets from before have none: their mails name the id.
  add column number integer,
  -- Where it was opened: the path of the page, and the name of the terminal that it showed, if the sender sees it.
  add column page text,
  add column terminal text,
  -- What was asked of the assistant before: [{ "question", "answer" }].
  add column conversation jsonb not null default '[]';
create unique index tickets_number on tickets (tenant_id, number);
