import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../platform/database/database.ts'
import { isUniqueViolation } from '../platform/database/errors.ts'

interface Insert {
  table: string
  statement: RawBuilder<unknown>
  rows: number
}

/**
 * Inserts rows that should all be new, because checking each row first takes twice as long. If a row already exists,
 * inserts nothing and returns false.
 */
export const tryInsert = async (db: Db, client: pg.PoolClient, insert: Insert): Promise<boolean> => {
  await client.query('savepoint before_insert')
  try {
    if (await insertAll(db, insert)) return true
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
  }
  await client.query('rollback to savepoint before_insert')
  return false
}

const insertAll = async (db: Db, { table, statement, rows }: Insert): Promise<boolean> => {
  if (!(await isDistributed(db, table))) {
    await statement.execute(db)
    return true
  }
  // Citus writes rows to shards with COPY, which row-level security refuses, unless the statement has a conflict clause.
  // And it counts the rows that it sent instead of the inserted ones, unless they are returned.
  const inserted = await sql`${statement} on conflict do nothing returning terminal_id`.execute(db)
  return inserted.rows.length === rows
}

const isDistributed = async (db: Db, table: string) => {
  const { rows } = await sql<{ yes: boolean }>`select is_distributed(${table}::regclass) as yes`.execute(db)
  return rows[0]?.yes === true
}
