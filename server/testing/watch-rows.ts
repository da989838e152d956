import pg from 'pg'

/** Hashes every row of every table, and reports which tables have changed. */
export const watchRows = async (connection: pg.ClientConfig) => {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows: tables } = await client.query<{ name: string }>(`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname = 'public' order by 1`)
  const statement = tables
    .map(
      ({ name }) =>
        `select '${name}' as name, count(*) || ':' || coalesce(sum(hashtextextended(t::text, 0)), 0) as seen from ${name} t`,
    )
    .join(' union all ')
  const look = async () => {
    const { rows } = await client.query<{ name: string; seen: string }>(statement)
    return new Map(rows.map(({ name, seen }) => [name, seen]))
  }
  return {
    tables: tables.length,
    look,
    changedSince: async (before: Map<string, string>) => {
      const now = await look()
      return [...now].filter(([name, seen]) => before.get(name) !== seen).map(([name]) => name)
    },
    close: () => client.end(),
  }
}
