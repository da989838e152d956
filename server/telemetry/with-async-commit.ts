import type pg from 'pg'
import type { Database, Db } from '../platform/database/database.ts'

/**
 * A transaction whose commit does not wait for the disk. Use it only for derived data that is recomputed after a crash
 * from rows already on disk: a batch from its stored body, buckets from their samples.
 */
export const withAsyncCommit = <T>(
  { database, tenantId }: { database: Database; tenantId: string },
  work: (db: Db, client: pg.PoolClient) => Promise<T>,
): Promise<T> =>
  database.transaction({ tenantId }, async (db, client) => {
    await client.query('set local synchronous_commit = off')
    return work(db, client)
  })
