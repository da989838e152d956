import pg from 'pg'
import { BackupError } from './backup-error.ts'
import type { SectionReader } from './backup-file.ts'
import { type Client, quote } from './connect.ts'
import { copyIn } from './copy-in.ts'
import type { Header } from './header.ts'

// Several connections load partitions, each in its own transactions, as tables of a schema that nothing reads. The main
// restore transaction then attaches them. So an interrupted restore leaves no tenant's rows, only this schema, which the
// next restore removes.
export const RESTORE_SCHEMA = 'dishboard_restore'
const BOUNDS = 'dishboard_restore_bounds'

export type Partition = Header['partitions'][number]

/** What each partition of a partitioned table must have before it can be attached. */
interface Parent {
  key: string
  columns: string[]
  constraints: string[]
  indexes: string[]
}

export const dropStaged = (client: Client) => client.query(`drop schema if exists ${RESTORE_SCHEMA} cascade`)
export const createStage = async (client: Client) => {
  await dropStaged(client)
  await client.query(`create schema ${RESTORE_SCHEMA}`)
}

/** The partitioned tables by name. */
export const listParents = async (client: Client) => {
  const { rows } = await client.query<Parent & { name: string }>(
    `select c.relname as name,
       (select a.attname from pg_attribute a where a.attrelid = c.oid and a.attnum = p.partattrs[0]) as key,
       array(select a.attname::text from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
       array(select pg_get_constraintdef(k.oid) from pg_constraint k
         where k.conrelid = c.oid and k.contype in ('p', 'u') order by k.conname) as constraints,
       array(select regexp_replace(pg_get_indexdef(i.indexrelid), '^.* USING ', 'using ') from pg_index i
         where i.indrelid = c.oid and not exists (select from pg_constraint k where k.conindid = i.indexrelid)) as indexes
     from pg_partitioned_table p join pg_class c on c.oid = p.partrelid and c.relnamespace = 'public'::regnamespace`,
  )
  return new Map(rows.map(({ name, ...parent }) => [name, parent]))
}

const buildBounds = ({ from, to }: Partition) => `from (${pg.escapeLiteral(from)}) to (${pg.escapeLiteral(to)})`

const setOptions = async (client: Client, name: string, { options }: Partition) => {
  if (options.length > 0) await client.query(`alter table ${name} set (${options.join(', ')})`)
}

/** Loads one partition with its indexes. It can be attached without rereading its rows. */
export const stagePartition = async (
  client: Client,
  { partition, section, parents }: { partition: Partition; section: SectionReader; parents: Map<string, Parent> },
  onBytes: (bytes: number) => void,
) => {
  const parent = parents.get(partition.table)
  if (!parent || section.columns.some((column) => !parent.columns.includes(column)))
    throw new BackupError(`The backup does not fit this version: it has an unknown partition of ${partition.table}.`)
  const name = `${RESTORE_SCHEMA}.${quote(partition.name)}`
  const [key, from, to] = [quote(parent.key), pg.escapeLiteral(partition.from), pg.escapeLiteral(partition.to)]
  await client.query('begin')
  await client.query(
    `create table ${name} (
       like public.${quote(partition.table)} including defaults including constraints including generated
         including storage including compression,
       constraint ${BOUNDS} check (${key} >= ${from} and ${key} < ${to}))`,
  )
  // The table was created in this transaction, so its rows can be written frozen, as if they had been vacuumed.
  await copyIn(client, { relation: name, section, options: ['freeze'] }, onBytes)
  await client.query("set local maintenance_work_mem = '256MB'")
  for (const definition of parent.constraints) await client.query(`alter table ${name} add ${definition}`)
  for (const definition of parent.indexes) await client.query(`create index on ${name} ${definition}`)
  await client.query(`call protect_tenant_table(${pg.escapeLiteral(name)}::regclass, '')`)
  await setOptions(client, name, partition)
  await client.query('commit')
}

/** Attaches the loaded partitions, in the current transaction. */
export const attachStaged = async (client: Client, partitions: readonly Partition[]) => {
  for (const partition of partitions) {
    const { table, name } = partition
    // An empty one exists if a server has used the database before.
    await client.query(`drop table if exists public.${quote(name)}`)
    await client.query(`alter table ${RESTORE_SCHEMA}.${quote(name)} set schema public`)
    await client.query(
      `alter table public.${quote(table)} attach partition public.${quote(name)} for values ${buildBounds(partition)}`,
    )
    await client.query(`alter table public.${quote(name)} drop constraint ${BOUNDS}`)
  }
  await client.query(`drop schema if exists ${RESTORE_SCHEMA}`)
}

/** Creates partitions without rows. */
export const createPartitions = async (client: Client, partitions: readonly Partition[]) => {
  for (const partition of partitions) {
    const { table, name } = partition
    const { rows } = await client.query('select to_regclass($1) is not null as is_there', [name])
    if (rows[0]?.is_there) continue
    await client.query(`create table ${quote(name)} partition of ${quote(table)} for values ${buildBounds(partition)}`)
    await client.query(`call protect_tenant_table(${pg.escapeLiteral(name)}::regclass, '')`)
    await setOptions(client, quote(name), partition)
  }
}
