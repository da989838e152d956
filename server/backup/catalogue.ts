import type pg from 'pg'

export interface Table {
  name: string
  columns: string[]
  isPartitioned: boolean
  /** Row-level security shows one tenant's rows at a time. */
  isProtected: boolean
}

export interface Partition {
  table: string
  name: string
  from: string
  to: string
  /** Storage parameters. */
  options: string[]
}

export interface Sequence {
  table: string
  column: string
  last: number
}

// The migrator owns the schema tables; a restored database gets them from its migrations. Every process writes its own row.
// Workers recreate the jobs: they check every tenant once after a restore.
const NOT_DATA = ['schema_migrations', 'schema_migrations_lock', 'jobs', 'job_requests', 'processes']

/** The history of measurements, which is most of a database, and the tables that record its completeness. */
export const TELEMETRY: readonly string[] = [
  'samples',
  'tier_2min',
  'tier_2min_packed',
  'tier_15min',
  'tier_1h',
  'tier_2h',
  'dirty_buckets',
  'rollup_watermarks',
  'feed_coverage',
]

interface TableRow {
  name: string
  columns: string[]
  is_partitioned: boolean
  is_protected: boolean
  needs: string[]
}

const sortByReference = (tables: readonly TableRow[]): TableRow[] => {
  const ordered = new Map<string, TableRow>()
  let left = tables
  while (left.length > 0) {
    const ready = left.filter(({ needs }) => needs.every((name) => ordered.has(name)))
    if (ready.length === 0)
      throw new Error(`Tables with circular foreign keys: ${left.map(({ name }) => name).join(', ')}`)
    for (const table of ready) ordered.set(table.name, table)
    left = left.filter(({ name }) => !ordered.has(name))
  }
  return [...ordered.values()]
}

/** Every table with our data, referenced tables first. */
export const listTables = async (client: pg.ClientBase): Promise<Table[]> => {
  const { rows } = await client.query<TableRow>(
    `select c.relname as name, c.relkind = 'p' as is_partitioned, c.relforcerowsecurity as is_protected,
       array(select a.attname::text from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
         order by a.attnum) as columns,
       array(select distinct target.relname::text from pg_constraint key
         join pg_class target on target.oid = key.confrelid and not target.relispartition
         where key.conrelid = c.oid and key.contype = 'f' and key.confrelid <> c.oid) as needs
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname <> all($1)
     order by c.relname`,
    [NOT_DATA],
  )
  return sortByReference(rows).map(({ name, columns, is_partitioned, is_protected }) => ({
    name,
    columns,
    isPartitioned: is_partitioned,
    isProtected: is_protected,
  }))
}

const BOUND = /^FOR VALUES FROM \('([^']+)'\) TO \('([^']+)'\)$/

export const listPartitions = async (client: pg.ClientBase): Promise<Partition[]> => {
  const { rows } = await client.query<{ table: string; name: string; bound: string; options: string[] }>(
    `select parent.relname as table, child.relname as name, pg_get_expr(child.relpartbound, child.oid) as bound,
       coalesce(child.reloptions, '{}') as options
     from pg_inherits i
     join pg_class parent on parent.oid = i.inhparent and parent.relnamespace = 'public'::regnamespace
     join pg_class child on child.oid = i.inhrelid and child.relkind = 'r' and child.relispartition
     order by 1, 2`,
  )
  return rows.map(({ table, name, bound, options }) => {
    const [, from, to] = BOUND.exec(bound) ?? []
    if (from === undefined || to === undefined) throw new Error(`Unsupported partition bound: ${name}`)
    return { table, name, from, to, options }
  })
}

/** What a backup reads at a time: a table, or a partition. */
export interface Source {
  table: string
  partition?: string
  columns: string[]
  isProtected: boolean
  /** Whether the owner may read the rows of all tenants at once. Databases of older versions lack the policy for it. */
  showsAllTenants: boolean
}

/** All sources, the largest first. */
export const listSources = async (client: pg.ClientBase, tables: readonly Table[]): Promise<Source[]> => {
  const { rows } = await client.query<{ name: string; table: string; is_partition: boolean; shows_all: boolean }>(
    `select c.relname as name, coalesce(parent.relname, c.relname) as table, c.relispartition as is_partition,
       exists (select from pg_policy p, unnest(p.polroles) as role (id)
         where p.polrelid = c.oid and p.polname = 'tenants_all' and pg_has_role(role.id, 'usage')) as shows_all
     from pg_class c
     left join pg_inherits i on i.inhrelid = c.oid
     left join pg_class parent on parent.oid = i.inhparent
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
     order by c.relpages desc, c.relname`,
  )
  const byName = new Map(tables.map((table) => [table.name, table]))
  return rows.flatMap(({ name, table, is_partition, shows_all }) => {
    const known = byName.get(table)
    if (!known) return []
    const { columns, isProtected } = known
    return [{ table, ...(is_partition && { partition: name }), columns, isProtected, showsAllTenants: shows_all }]
  })
}

/** The last value of each identity column. Read after the rows, so that it is past all of them. */
export const listSequences = async (client: pg.ClientBase): Promise<Sequence[]> => {
  const { rows } = await client.query<{ table: string; column: string; last: string }>(
    `select c.relname as table, a.attname as column,
       coalesce(pg_sequence_last_value(pg_get_serial_sequence(quote_ident(c.relname), a.attname)::regclass), 0) as last
     from pg_attribute a
     join pg_class c on c.oid = a.attrelid and c.relnamespace = 'public'::regnamespace and not c.relispartition
     where a.attidentity <> '' and not a.attisdropped
     order by 1, 2`,
  )
  return rows.map(({ table, column, last }) => ({ table, column, last: Number(last) }))
}

export const listDoneMigrations = async (client: pg.ClientBase): Promise<string[]> => {
  const { rows: found } = await client.query("select to_regclass('schema_migrations') is not null as is_there")
  if (!found[0]?.is_there) return []
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations order by name')
  return rows.map(({ name }) => name)
}
