alter table idempotent_answers rename to idempotent_responses;
alter table idempotent_responses rename column answer to response;
alter table idempotent_responses rename column answered_at to responded_at;
alter table idempotent_responses rename constraint idempotent_answers_pkey to idempotent_responses_pkey;
alter index idempotent_answers_age rename to idempotent_responses_age;
