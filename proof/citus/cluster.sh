#!/bin/bash
# Runs a cluster of a coordinator and two workers on loopback, for `npm run proof -- citus`. PostgreSQL has to have the Citus
# extension.
set -euo pipefail

usage() {
  cat <<'USAGE'
Usage: proof/citus/cluster.sh start FOLDER    create the cluster in FOLDER if it is not there, start it, print its address
       proof/citus/cluster.sh stop FOLDER     stop it
PG_CONFIG names the pg_config of the PostgreSQL to use; PORT is the coordinator's (54100), the workers have the next two.
USAGE
  exit 2
}

[ $# -eq 2 ] || usage
command=$1
folder=$2
bin=$("${PG_CONFIG:-pg_config}" --bindir)
port=${PORT:-54100}
nodes=(coordinator worker-1 worker-2)

# PostgreSQL refuses to run as root.
as_postgres() {
  if [ "$(id -u)" -eq 0 ]; then (cd / && runuser -u postgres -- "$@"); else "$@"; fi
}

run_sql() {
  as_postgres "$bin/psql" -X -q -v ON_ERROR_STOP=1 -h 127.0.0.1 -U postgres -p "$1" -d postgres -c "$2"
}

create_node() {
  as_postgres "$bin/initdb" -D "$folder/$1" -U postgres --auth=trust --encoding=UTF8 --locale=C.UTF-8 >/dev/null
  as_postgres tee -a "$folder/$1/postgresql.conf" >/dev/null <<CONF
shared_preload_libraries = 'citus'
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 200
max_prepared_transactions = 400
shared_buffers = 128MB
CONF
}

start_node() {
  as_postgres "$bin/pg_ctl" -D "$folder/$1" -s -w -l "$folder/$1.log" -o "-p $2" start
}

start() {
  mkdir -p "$folder"
  if [ "$(id -u)" -eq 0 ]; then chown postgres "$folder"; fi
  for index in "${!nodes[@]}"; do
    node=${nodes[$index]}
    [ -d "$folder/$node" ] || create_node "$node"
    as_postgres "$bin/pg_ctl" -D "$folder/$node" status >/dev/null || start_node "$node" $((port + index))
    run_sql $((port + index)) 'set client_min_messages = warning; create extension if not exists citus'
  done
  run_sql "$port" "select citus_set_coordinator_host('127.0.0.1', $port)" >/dev/null
  for index in 1 2; do run_sql "$port" "select citus_add_node('127.0.0.1', $((port + index)))" >/dev/null; done
  echo "CITUS_URL=postgres://postgres@127.0.0.1:$port/postgres"
}

stop() {
  for node in worker-2 worker-1 coordinator; do as_postgres "$bin/pg_ctl" -D "$folder/$node" -s -m fast stop || true; done
}

case $command in
  start | stop) "$command" ;;
  *) usage ;;
esac
