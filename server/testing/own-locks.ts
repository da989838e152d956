/**
 * For `from`: the locks of the current database's sessions. All test files share one PostgreSQL, and their databases are
 * copies of one template, so another file's tables even have the same oids. Locks of transactions name no database, but
 * their sessions also lock tables. Not by `pg_stat_activity`, which lists the same sessions until a transaction ends.
 */
export const OWN_LOCKS = `(select * from pg_locks
  where pid in (
    select pid from pg_locks where database = (select oid from pg_database where datname = current_database()))) as locks`
