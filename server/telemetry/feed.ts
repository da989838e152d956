import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../platform/database/database.ts'
import { createWake } from '../platform/worker/pause.ts'
import { type Devices, listDevices } from './devices.ts'
import { createFeedClock, type FeedClock } from './feed-clock.ts'
import { createFeedMonitor, type FeedMonitor, type MonitoredFeed } from './feed-monitor.ts'
import type { PendingBatch } from './raw-batches.ts'
import { createRollupAccumulator, type RollupAccumulator } from './rollup-accumulator.ts'
import { type StatusLimits, statusLimits } from './status.ts'
import { getClosedMs, getTier, type TierName } from './tiers.ts'
import { createWarnOnce, type WarnOnce } from './warn-once.ts'

export interface OwnedDevices extends Devices {
  /** The terminals of the feed's credential. */
  own: ReadonlySet<number>
}

const withOwn = (devices: Devices, credentialId: number): OwnedDevices => {
  const own = new Set<number>()
  for (const terminal of devices.terminals.values()) if (terminal.credentialId === credentialId) own.add(terminal.id)
  return { ...devices, own }
}

/** The telemetry of one credential: its owner and the state that the process holds in memory. */
export interface Feed {
  tenantId: string
  credentialId: number
  database: Database
  limits: FeedLimits
  now: () => number
  log: FastifyBaseLogger
  warnOnce: WarnOnce
  monitor: FeedMonitor
  monitored: MonitoredFeed
  /** The time up to which each tier is known to be computed. */
  completeUntilMs: Map<TierName, number>
  clock: FeedClock
  /** Batches to apply, by id. A batch that is not here is read from the database. */
  pendingBatches: Map<number, PendingBatch>
  /** Days whose partition is known to exist. */
  readyDays: Set<string>
  /** Records that samples up to this time are stored. */
  advanceWatermark: (untilMs: number) => void
  /** The time up to which the tiers can be computed; null while the feed's present is unknown. */
  getWatermarkMs: () => number | null
  /** Call it when the feed is behind: other processes then do part of its work. */
  requestHelp: () => void
  /** Wakes the loop that computes the tiers. */
  rollupWake: ReturnType<typeof createWake>
  /** Sums of this process's samples in the buckets that are still open. */
  accumulator: RollupAccumulator
  devices: () => Promise<OwnedDevices>
  /** Call it when the inventory has changed. */
  invalidateDevices: () => void
  /** Call it for an unknown device in the stream. Another process may have stored the device since. */
  reportUnknownDevice: () => void
}

export interface FeedLimits extends StatusLimits {
  /** Rows older than this are not stored as samples. */
  oldestRowMs: number
  /** Rows further in the future than this are skipped. */
  clockSkewMs: number
  /** Pages are notified of a newer "last seen" at this interval, not with every row. */
  lastSeenStepMs: number
}

export const feedLimits: FeedLimits = {
  ...statusLimits,
  oldestRowMs: 2 * 86_400_000,
  clockSkewMs: 3_600_000,
  lastSeenStepMs: 120_000,
}

const DEVICES_REREAD_AFTER_MS = 30_000
// The last hours of a silent feed must be rolled up before their samples are purged.
const CLOSE_AFTER_SILENCE_MS = 3_600_000

export const createFeed = (
  options: Pick<Feed, 'tenantId' | 'credentialId' | 'database' | 'limits' | 'now' | 'log'> & {
    monitor?: FeedMonitor
    requestHelp?: Feed['requestHelp']
  },
): Feed => {
  const { database, tenantId, credentialId, now, monitor = createFeedMonitor() } = options
  const accumulator = createRollupAccumulator()
  let known: { devices: Promise<OwnedDevices>; readAtMs: number } | undefined
  let formerOwn: ReadonlySet<number> | undefined
  let stale = false
  const wake = createWake()
  let receivedUntilMs: number | null = null
  let receivedAtMs = now()
  const completeUntilMs = new Map<TierName, number>()
  const getWatermarkMs = () => {
    const silentSinceMs = now() - CLOSE_AFTER_SILENCE_MS
    return receivedAtMs > silentSinceMs ? receivedUntilMs : Math.max(receivedUntilMs ?? 0, silentSinceMs)
  }
  const getRollupLagMs = (name: TierName) => {
    const presentMs = getWatermarkMs()
    const completeMs = completeUntilMs.get(name)
    return presentMs === null || completeMs === undefined
      ? 0
      : Math.max(0, getClosedMs(getTier(name), presentMs) - completeMs)
  }
  return {
    requestHelp: () => {},
    ...options,
    monitor,
    monitored: monitor.open({ tenantId, credentialId, startedAtMs: now(), getRollupLagMs }),
    completeUntilMs,
    warnOnce: createWarnOnce(options.log),
    clock: createFeedClock(options.limits),
    pendingBatches: new Map(),
    readyDays: new Set(),
    advanceWatermark: (untilMs) => {
      receivedUntilMs = Math.max(receivedUntilMs ?? 0, untilMs)
      receivedAtMs = now()
      wake.wake()
    },
    getWatermarkMs,
    rollupWake: wake,
    accumulator,
    devices: () => {
      // The clock may have been set back.
      const isOld = stale && Math.abs(now() - (known?.readAtMs ?? 0)) >= DEVICES_REREAD_AFTER_MS
      if (known && !isOld) return known.devices
      const devices = database.transaction({ tenantId }, listDevices).then((read) => withOwn(read, credentialId))
      devices.then(
        ({ own }) => {
          // This feed has not received all samples of a terminal that moved here from another credential.
          if ([...own].some((id) => formerOwn?.has(id) === false)) accumulator.clear()
          formerOwn = own
        },
        () => {},
      )
      known = { devices, readAtMs: now() }
      stale = false
      devices.catch(() => {
        known = undefined
      })
      return devices
    },
    invalidateDevices: () => {
      known = undefined
    },
    reportUnknownDevice: () => {
      stale = true
    },
  }
}
