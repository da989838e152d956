-- Everybody whom the editing log names. The log holds names and addresses encrypted with the key of whom they belong to:
-- without the key nobody can read them, and no entry has to be changed for that.
create table data_subjects (
  tenant_id text not null references tenants (id),
  id bigint generated always as identity,
  -- Null once it was destroyed.
  key bytea,
  erased_at timestamptz,
  primary key (tenant_id, id),
  check ((key is null) = (erased_at is not null))
);
call protect_tenant_table('data_subjects', 'select, insert, update');

-- Under which addresses they are known, in lower case. An address that a deleted user had may come back with another.
create table data_subject_emails (
  tenant_id text not null,
  email text not null check (email = lower(email)),
  subject_id bigint not null,
  primary key (tenant_id, email, subject_id),
  foreign key (tenant_id, subject_id) references data_subjects (tenant_id, id)
);
create index data_subject_emails_subject on data_subject_emails (tenant_id, subject_id);
call protect_tenant_table('data_subject_emails');
