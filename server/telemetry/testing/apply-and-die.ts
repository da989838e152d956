import { pino } from 'pino'
import { type Database, openDatabase } from '../../db.ts'
import { applyBatch } from '../apply-batch.ts'
import { createFeed, feedLimits } from '../feed.ts'
import { findWaitingBatch } from '../raw-batches.ts'

/** Applies the waiting batch of a feed and is killed when all is written but not committed. */
const { connection, tenantId, credentialId } = JSON.parse(process.argv[2] ?? '{}')
const database = openDatabase(connection, () => {})
const doomed: Database = {
  ...database,
  transaction: (scope, work) =>
    database.transaction(scope, async (db, client) => {
      const result = await work(db, client)
      const { rows } = await client.query('select from telemetry_batches where applied_at is not null')
      if (rows.length > 0) process.kill(process.pid, 'SIGKILL')
      return result
    }),
}
const log = pino({ level: 'silent' })
const feed = createFeed({ tenantId, credentialId, database: doomed, limits: feedLimits, now: Date.now, log })
const raw = await database.transaction({ tenantId }, (db) => findWaitingBatch(db, feed))
if (!raw) throw new Error('No batch waits.')
await applyBatch(feed, raw)
