/**
 * For `from`: the locks of the current database's sessions. All test files share one PostgreSQL, and their databases are
 * copies of one template, so another file's tables even have the same oids.
 */
export const OWN_LOCKS = `(select pg_locks.* from pg_locks
  join pg_stat_activity as activity on activity.pid = pg_locks.pid and activity.datname = current_database()) as locks`
