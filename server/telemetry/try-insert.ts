import type { RawBuilder } from 'kysely'
import type pg from 'pg'
import type { Db } from '../platform/database/database.ts'

/**
 * Inserts rows that should all be new, because checking each row first takes twice as long. If a row exists already,
 * inserts nothing and returns false.
 */
export const tryInsert = async (db: Db, client: pg.PoolClient, insert: RawBuilder<unknown>): Promise<boolean> => {
  await client.query('savepoint before_insert')
  try {
    await insert.execute(db)
    return true
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    await client.query('rollback to savepoint before_insert')
    return false
  }
}

const isUniqueViolation = (error: unknown) => (error as { code?: string }).code === '23505'
