import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../platform/database/database.ts'
import { createWake } from '../platform/worker/pause.ts'
import { createOnceLog, type OnceLog } from '../vendor/log-once.ts'
import { type Devices, listDevices } from './devices.ts'
import { createFeedClock, type FeedClock } from './feed-clock.ts'
import type { HeldBatch } from './raw-batches.ts'
import { type StatusLimits, statusLimits } from './status.ts'
import { createTally, type Tally } from './tally.ts'

export interface FeedDevices extends Devices {
  /** The terminals of the feed's credential. */
  own: ReadonlySet<number>
}

const withOwn = (devices: Devices, credentialId: number): FeedDevices => {
  const own = new Set<number>()
  for (const terminal of devices.terminals.values()) if (terminal.credentialId === credentialId) own.add(terminal.id)
  return { ...devices, own }
}

/** The telemetry of one credential: whose it is, and what the process remembers of it. */
export interface Feed {
  tenantId: string
  credentialId: number
  database: Database
  limits: FeedLimits
  now: () => number
  log: FastifyBaseLogger
  once: OnceLog
  clock: FeedClock
  /** Batches that wait to be applied, by id; one that is not here is read from the database. */
  held: Map<number, HeldBatch>
  /** Days whose partition is known to exist. */
  readyDays: Set<string>
  /** Samples up to this moment are stored. */
  noteHeard: (untilMs: number) => void
  /** Up to where the tiers can be computed; null while nothing is known of the feed's present. */
  heardUntilMs: () => number | null
  /** Wakes who computes the tiers. */
  heard: ReturnType<typeof createWake>
  /** What the samples of this process come to, in the buckets that are not over. */
  tally: Tally
  devices: () => Promise<FeedDevices>
  /** The inventory changed. */
  forgetDevices: () => void
  /** The stream tells of a device we do not know: another process may have stored it since. */
  missDevice: () => void
}

export interface FeedLimits extends StatusLimits {
  /** Rows older than this are not kept as samples. */
  oldestRowMs: number
  /** Rows further in the future than this are not believed. */
  clockSkewMs: number
  /** Pages hear of a newer "last seen" at least this often, not with every row. */
  lastSeenStepMs: number
}

export const feedLimits: FeedLimits = {
  ...statusLimits,
  oldestRowMs: 2 * 86_400_000,
  clockSkewMs: 3_600_000,
  lastSeenStepMs: 120_000,
}

const DEVICES_REREAD_AFTER_MS = 30_000
// A feed that has gone silent must not leave its last hours to be forgotten with the samples.
const CLOSE_AFTER_SILENCE_MS = 3_600_000

export const createFeed = (
  options: Pick<Feed, 'tenantId' | 'credentialId' | 'database' | 'limits' | 'now' | 'log'>,
): Feed => {
  const { database, tenantId, credentialId, now } = options
  const tally = createTally()
  let known: { devices: Promise<FeedDevices>; readAtMs: number } | undefined
  let formerOwn: ReadonlySet<number> | undefined
  let stale = false
  const wake = createWake()
  let heardUntilMs: number | null = null
  let heardAtMs = now()
  return {
    ...options,
    once: createOnceLog(options.log),
    clock: createFeedClock(options.limits),
    held: new Map(),
    readyDays: new Set(),
    noteHeard: (untilMs) => {
      heardUntilMs = Math.max(heardUntilMs ?? 0, untilMs)
      heardAtMs = now()
      wake.wake()
    },
    heardUntilMs: () => {
      const silentSinceMs = now() - CLOSE_AFTER_SILENCE_MS
      return heardAtMs > silentSinceMs ? heardUntilMs : Math.max(heardUntilMs ?? 0, silentSinceMs)
    },
    heard: wake,
    tally,
    devices: () => {
      if (known && !(stale && now() - known.readAtMs >= DEVICES_REREAD_AFTER_MS)) return known.devices
      const devices = database.transaction({ tenantId }, listDevices).then((read) => withOwn(read, credentialId))
      devices.then(
        ({ own }) => {
          // Of a terminal that came from another credential the samples of a bucket are not all told here.
          if ([...own].some((id) => formerOwn?.has(id) === false)) tally.clear()
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
    forgetDevices: () => {
      known = undefined
    },
    missDevice: () => {
      stale = true
    },
  }
}
