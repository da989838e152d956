-- Where moving terminals have been: a row for each cell they came into, for as long as pages show it.
create table track_points (
  tenant_id text not null,
  terminal_id bigint not null,
  at timestamptz not null,
  h3_cell text not null,
  primary key (tenant_id, terminal_id, at),
  foreign key (tenant_id, terminal_id) references terminals (tenant_id, id)
);
call protect_tenant_table('track_points');
