import pg from 'pg'
import { pino } from 'pino'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { advanceTiers } from '../advance-tiers.ts'
import { createFeed, feedLimits } from '../feed.ts'
import { ingestBatch } from '../ingest-batch.ts'
import { findPendingBatch } from '../raw-batches.ts'

/**
 * Applies the pending batch of a feed and computes its tiers. The process kills itself when the query `fatal` finds
 * uncommitted rows, or after it has sent `statements` statements to the database.
 */
const { connection, tenantId, credentialId, fatal, statements, receivedUntilMs } = JSON.parse(process.argv[2] ?? '{}')

let left = statements ?? Number.POSITIVE_INFINITY
const { query } = pg.Client.prototype
pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
  const result = Reflect.apply(query, this, given)
  if (--left === 0) process.kill(process.pid, 'SIGKILL')
  return result
} as typeof query

const database = openDatabase(connection, () => {})
const doomed: Database = {
  ...database,
  transaction: (scope, work) =>
    database.transaction(scope, async (db, client) => {
      const result = await work(db, client)
      if (fatal && (await client.query(fatal)).rows.length > 0) process.kill(process.pid, 'SIGKILL')
      return result
    }),
}
const log = pino({ level: 'silent' })
const feed = createFeed({ tenantId, credentialId, database: doomed, limits: feedLimits, now: Date.now, log })
const raw = await database.transaction({ tenantId }, (db) => findPendingBatch(db, feed))
if (raw) await ingestBatch(feed, raw)
feed.advanceWatermark(receivedUntilMs)
await advanceTiers(feed)
