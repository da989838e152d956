import { pause } from '../platform/worker/pause.ts'
import { advanceTiers } from './advance-tiers.ts'
import type { Feed } from './feed.ts'

const IDLE_MS = 60_000
const RETRY_MS = 5_000

/** Keeps the tiers up to the feed's present, until it is told to stop. What fails is noted in the database and tried again. */
export const runRollups = async (feed: Feed, stop: AbortSignal): Promise<void> => {
  let failing = false
  while (!stop.aborted) {
    await feed.rollupWake.wait(IDLE_MS, stop)
    if (stop.aborted) return
    try {
      await advanceTiers(feed, stop)
      if (failing) feed.log.info('Telemetry is rolled up again.')
      failing = false
    } catch (error) {
      if (!failing) feed.log.error({ err: error }, 'Telemetry cannot be rolled up now; it is tried again.')
      failing = true
      await pause(RETRY_MS, stop)
    }
  }
}
