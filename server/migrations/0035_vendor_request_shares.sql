-- The vendor counts the requests of an account, whichever of our processes sent them. A request counts here until the moment
-- from which another one may take its place.
create table vendor_request_shares (
  tenant_id text not null,
  credential_id bigint not null,
  share text not null check (share in ('orders', 'commands')),
  counts_until timestamptz[] not null default '{}',
  primary key (tenant_id, credential_id, share),
  foreign key (tenant_id, credential_id) references vendor_credentials (tenant_id, id) on delete cascade
);
call protect_tenant_table('vendor_request_shares');
