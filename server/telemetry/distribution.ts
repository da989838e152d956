import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { StartupError } from '../platform/startup-error.ts'
import { PACKED_TIER, tiers } from './tiers.ts'

/**
 * The tables that Citus distributes over its nodes: those that grow with the fleet and over time. All others stay on the
 * coordinator.
 */
export const spreadTables = ['samples', ...tiers.map(({ name }) => name), PACKED_TIER.packedName]

/**
 * Every read names one terminal, so a terminal's rows are on one shard, with its samples next to its tiers. Citus does
 * not enforce uniqueness by tenant: the keys do not contain it.
 */
export const DISTRIBUTION_COLUMN = 'terminal_id'

export interface Distribution {
  isDistributed: boolean
  /** Nodes that may have shards. */
  nodes: number
  /** Why a partly distributed database must not be used. */
  problems: string[]
}

interface TableRow {
  name: string
  method: string | null
  column: string | null
  colocation: number | null
  local_partitions: string[]
}

const describeTable = (row: TableRow, first: TableRow): string[] => {
  const { name, method, column, colocation, local_partitions: local } = row
  if (method === null) return [`${name} is on the coordinator only`]
  if (method !== 'h' || column !== DISTRIBUTION_COLUMN) return [`${name} is not distributed by ${DISTRIBUTION_COLUMN}`]
  if (colocation !== first.colocation) return [`${name} is not colocated with ${first.name}`]
  return local.map((partition) => `the partition ${partition} is on the coordinator only`)
}

/** How far a database is distributed, from its coordinator's catalog. */
export const readDistribution = async (db: Db): Promise<Distribution> => {
  const { rows: found } = await sql<{ yes: boolean }>`
    select to_regclass('pg_catalog.pg_dist_partition') is not null and to_regclass('samples') is not null as yes`.execute(
    db,
  )
  if (!found[0]?.yes) return { isDistributed: false, nodes: 0, problems: [] }
  const { rows } = await sql<TableRow>`
    select name, part.partmethod::text as method, part.colocationid::int as colocation,
      case when part.partkey is not null then column_to_column_name(part.logicalrelid, part.partkey) end as column,
      array(
        select inhrelid::regclass::text from pg_inherits
        where inhparent = name::regclass
          and not exists (select from pg_dist_partition as own where own.logicalrelid = inhrelid)) as local_partitions
    from unnest(${spreadTables}::text[]) as name
    left join pg_dist_partition as part on part.logicalrelid = name::regclass`.execute(db)
  const { rows: cluster } = await sql<{ nodes: number; propagates: string }>`
    select (select count(*)::int from pg_dist_node where shouldhaveshards) as nodes,
      current_setting('citus.propagate_set_commands', true) as propagates`.execute(db)
  const { nodes, propagates } = cluster[0] as (typeof cluster)[0]
  const isDistributed = rows.some(({ method }) => method !== null)
  if (!isDistributed) return { isDistributed, nodes, problems: [] }
  const problems = rows.flatMap((row) => describeTable(row, rows[0] as TableRow))
  if (propagates !== 'local') problems.push("the role lacks citus.propagate_set_commands = 'local'")
  return { isDistributed, nodes, problems }
}

export const DISTRIBUTE_AGAIN = 'run npm run dishboard -- distribute, which continues where it was interrupted'

/** Rows of a table that is not distributed like the others would be missing from results or be read without their tenant. */
export const refusePartDistributed = async (db: Db) => {
  const { problems } = await readDistribution(db)
  if (problems.length > 0)
    throw new StartupError(
      `The database is distributed in part: ${problems.join('; ')}. To fix it, ${DISTRIBUTE_AGAIN}.`,
    )
}
