-- The body of a message with a password or a code, encrypted until it is sent or expires, and deleted then. Its text is empty.
alter table messages add column sealed_body bytea;

-- Bodies that wait in clear text cannot be encrypted here. They are useless within the hour, and whoever needs one asks again.
alter table messages no force row level security;
update messages
set text = '', html = null, finished_at = now(), state = 'failed',
  last_error = 'It waited in clear text and was erased. Please request it again.'
where is_secret and state in ('queued', 'sending');
alter table messages force row level security;

alter table messages drop column is_secret;
