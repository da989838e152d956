import { notifyLinesChanged } from '../fleet/notify.ts'
import { enqueue } from '../platform/worker/enqueue.ts'
import type { Feed } from './feed.ts'
import { lockFeed } from './raw-batches.ts'
import { statusAfterSilence } from './status.ts'
import { appendEdges, listSilentTerminals, type TerminalEdge } from './terminal-states.ts'

/** If the newest sample is at least this old, current events are not observed. */
export const FEED_LATE_MS = 10 * 60_000

/** Whether each feed was late when its tenant's incidents were last requested. */
const knownLateness = new WeakMap<Feed, boolean>()

/** Finds the terminals that have gone silent while the feed still reports others. */
export const sweepSilent = async (feed: Feed): Promise<void> => {
  const { tenantId, credentialId, database, clock, limits } = feed
  const presentMs = clock.getPresentMs()
  if (presentMs === null) return
  const isLate = feed.now() - presentMs > FEED_LATE_MS
  await database.transaction({ tenantId }, async (db) => {
    await lockFeed(db, feed)
    const silent = await listSilentTerminals(db, {
      tenantId,
      credentialId,
      onlineSilentSince: new Date(presentMs - limits.offlineAfterMs),
      offlineSilentSince: new Date(presentMs - limits.noDataAfterMs),
    })
    const edges: TerminalEdge[] = []
    const changedLines: number[] = []
    for (const { terminalId, serviceLineId, state } of silent) {
      const step = statusAfterSilence(state, presentMs, clock.aliveBetween, limits)
      if (step.edges.length === 0) continue
      for (const edge of step.edges) edges.push({ terminalId, ...edge })
      if (serviceLineId !== null) changedLines.push(serviceLineId)
    }
    await appendEdges(db, tenantId, edges)
    await notifyLinesChanged(db, tenantId, changedLines)
    // Also at the first sweep: the previous process may have stopped while the feed was late.
    if (knownLateness.get(feed) !== isLate) await enqueue(db, 'incidents', tenantId)
  })
  knownLateness.set(feed, isLate)
}
