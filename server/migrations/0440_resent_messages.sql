-- The message of which this one is a copy that an administrator sent again. It may be deleted before its copy.
alter table messages add column resend_of uuid;
create index messages_resends on messages (tenant_id, resend_of) where resend_of is not null;
