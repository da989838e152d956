import { sql } from 'kysely'
import type { Database, Db } from './database/database.ts'
import type { DB } from './database/schema.ts'
import type { Secrets } from './secrets.ts'

/** A column with values that `seal` encrypted. */
export interface SealedColumn {
  table: keyof DB
  column: string
  /** Identifies a row of the tenant. The value is bound to it. */
  idColumn: string
  buildPurpose: (tenantId: string, id: string) => string
}

interface SealedRow {
  id: string
  sealed: Buffer
}

const BATCH = 200

interface Options {
  database: Database
  secrets: Secrets
  tenantId: string
  column: SealedColumn
}

/** Values without the current key's id: encrypted with another key, or before there were key ids. */
const listOutdated = async (db: Db, { secrets, tenantId, column }: Options, afterId: string | undefined) => {
  const id = sql`${sql.ref(column.idColumn)}::text collate "C"`
  const value = sql.ref(column.column)
  const { rows } = await sql<SealedRow>`
    select ${id} as id, ${value} as sealed from ${sql.table(column.table)}
    where tenant_id = ${tenantId} and ${afterId === undefined ? sql`true` : sql`${id} > ${afterId}`}
      and substring(${value} from 1 for ${sql.lit(secrets.sealPrefix.length)}) <> ${secrets.sealPrefix}
    order by 1 limit ${sql.lit(BATCH)}`.execute(db)
  return rows
}

/** Runs `work` on each outdated value, in one short transaction per batch. */
const forEachOutdated = async (options: Options, work: (db: Db, row: SealedRow) => Promise<void> | void) => {
  const { database, tenantId } = options
  let afterId: string | undefined
  for (;;) {
    const rows = await database.transaction({ tenantId }, async (db) => {
      const batch = await listOutdated(db, options, afterId)
      for (const row of batch) await work(db, row)
      return batch
    })
    if (rows.length < BATCH) return
    afterId = rows.at(-1)?.id
  }
}

/** The outdated values of a column: their number, and the rows that no key can decrypt. */
export const inspectSealedColumn = async (options: Options) => {
  const { secrets, tenantId, column } = options
  const ids = new Set<string>()
  const unreadable = new Set<string>()
  await forEachOutdated(options, (_, { id, sealed }) => {
    ids.add(id)
    try {
      secrets.open(sealed, column.buildPurpose(tenantId, id))
    } catch {
      unreadable.add(id)
    }
  })
  return { outdated: ids.size, unreadable: [...unreadable] }
}

/** Re-encrypts the outdated values of a column with the current key. Returns how many. */
export const reencryptColumn = async (options: Options): Promise<number> => {
  const { secrets, tenantId, column } = options
  const ids = new Set<string>()
  await forEachOutdated(options, async (db, { id, sealed }) => {
    const purpose = column.buildPurpose(tenantId, id)
    const resealed = secrets.seal(secrets.open(sealed, purpose), purpose)
    // A value that was replaced or erased in the meantime is left alone.
    const { numAffectedRows } = await sql`
      update ${sql.table(column.table)} set ${sql.ref(column.column)} = ${resealed}
      where tenant_id = ${tenantId} and ${sql.ref(column.idColumn)}::text = ${id}
        and ${sql.ref(column.column)} = ${sealed}`.execute(db)
    if (numAffectedRows === 1n) ids.add(id)
  })
  return ids.size
}
