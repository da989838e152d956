import { pino } from 'pino'
import { type Database, openDatabase } from '../../db.ts'
import { advanceTiers } from '../advance-tiers.ts'
import { applyBatch } from '../apply-batch.ts'
import { createFeed, feedLimits } from '../feed.ts'
import { findWaitingBatch } from '../raw-batches.ts'

/** Applies what waits in a feed and computes its tiers, and is killed when `fatal` finds rows that are not committed yet. */
const { connection, tenantId, credentialId, fatal, heardUntilMs } = JSON.parse(process.argv[2] ?? '{}')
const database = openDatabase(connection, () => {})
const doomed: Database = {
  ...database,
  transaction: (scope, work) =>
    database.transaction(scope, async (db, client) => {
      const result = await work(db, client)
      const { rows } = await client.query(fatal)
      if (rows.length > 0) process.kill(process.pid, 'SIGKILL')
      return result
    }),
}
const log = pino({ level: 'silent' })
const feed = createFeed({ tenantId, credentialId, database: doomed, limits: feedLimits, now: Date.now, log })
const raw = await database.transaction({ tenantId }, (db) => findWaitingBatch(db, feed))
if (raw) await applyBatch(feed, raw)
feed.noteHeard(heardUntilMs)
await advanceTiers(feed)
