import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../platform/database/database.ts'
import type { Listener } from '../platform/database/listen.ts'
import { EVENT_CHANNEL, listEventGroups, readEventNotification } from './event-groups.ts'
import { createLiveStreams, type LiveStreams } from './live.ts'
import { FLEET_CHANNEL, readNotification } from './notify.ts'
import { createPackedBodies, type PackedBodies } from './packed-body.ts'
import { createSnapshot, type Snapshot } from './snapshot.ts'

/** The fleets of all tenants, cached in this process. */
export interface Fleet {
  snapshot: (tenantId: string) => Promise<Snapshot>
  /** Response bodies of the list, compressed once per revision. */
  bodies: PackedBodies
  live: LiveStreams
  close: () => Promise<void>
}

interface Options {
  database: Database
  listener: Listener
  log: FastifyBaseLogger
  now?: () => Date
  checkIntervalMs?: number
}

interface Entry {
  snapshot: Snapshot
  loaded: Promise<unknown>
  waiting: Set<number> | 'all'
  refreshing: boolean
  lastUsedMs: number
}

const isWaiting = ({ waiting }: Entry) => waiting === 'all' || waiting.size > 0

// One batch causes several notifications; a short delay coalesces them into one query.
const GATHER_MS = 100
const GATHER_EVENTS_MS = 1_000
const RETRY_MS = 1_000
const UNUSED_AFTER_MS = 30 * 60_000
const EVICT_INTERVAL_MS = 5 * 60_000
const HEARTBEAT_INTERVAL_MS = 60_000

export const createFleet = async (options: Options): Promise<Fleet> => {
  const { database, listener, log, now = () => new Date(), checkIntervalMs } = options
  const entries = new Map<string, Entry>()
  const timers = new Set<NodeJS.Timeout>()
  let isClosed = false
  const live = createLiveStreams({ database, log, now, checkIntervalMs })
  const bodies = createPackedBodies()

  const schedule = (ms: number, work: () => void) => {
    if (isClosed) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      work()
    }, ms)
    timers.add(timer)
  }

  const refresh = async (tenantId: string, entry: Entry) => {
    if (isClosed) return
    const lineIds = entry.waiting === 'all' ? 'all' : [...entry.waiting]
    entry.waiting = new Set()
    try {
      if (await entry.snapshot.refresh(lineIds)) live.notifyChanged(tenantId)
      entry.refreshing = false
      if (isWaiting(entry)) refreshSoon(tenantId, entry)
    } catch (error) {
      log.warn({ err: error, tenantId }, 'Could not read the changed lines; retrying with the whole fleet.')
      entry.waiting = 'all'
      schedule(RETRY_MS, () => void refresh(tenantId, entry))
    }
  }

  const refreshSoon = (tenantId: string, entry: Entry) => {
    if (entry.refreshing) return
    entry.refreshing = true
    // A fleet that failed to load is not cached; the next request reloads it.
    schedule(GATHER_MS, () => void entry.loaded.then(() => refresh(tenantId, entry)).catch(() => {}))
  }

  const markChanged = (tenantId: string, lineIds: number[] | 'all') => {
    const entry = entries.get(tenantId)
    if (!entry) return
    if (lineIds === 'all') entry.waiting = 'all'
    else if (entry.waiting !== 'all') for (const id of lineIds) entry.waiting.add(id)
    refreshSoon(tenantId, entry)
  }

  const load = (tenantId: string): Entry => {
    const snapshot = createSnapshot(database, tenantId, { now })
    const entry: Entry = {
      snapshot,
      loaded: snapshot.refresh('all'),
      waiting: new Set(),
      refreshing: false,
      lastUsedMs: 0,
    }
    entries.set(tenantId, entry)
    entry.loaded.catch(() => entries.delete(tenantId))
    return entry
  }

  await listener.subscribe({
    channel: FLEET_CHANNEL,
    onNotification: (payload) => {
      const { tenantId, lineIds } = readNotification(payload)
      markChanged(tenantId, lineIds)
    },
    onConnected: () => {
      for (const tenantId of entries.keys()) markChanged(tenantId, 'all')
    },
  })

  /** The oldest event of each tenant that its streams have not been notified of. */
  const unannounced = new Map<string, number>()

  const announceEvents = async (tenantId: string) => {
    const sinceMs = unannounced.get(tenantId) as number
    unannounced.delete(tenantId)
    try {
      const groups = await database.transaction({ tenantId }, (db) => listEventGroups(db, tenantId, new Date(sinceMs)))
      live.announceEvents(tenantId, new Set(groups))
    } catch (error) {
      log.warn({ err: error, tenantId }, 'Could not announce events; retrying.')
      announceSoon(tenantId, sinceMs, RETRY_MS)
    }
  }

  const announceSoon = (tenantId: string, notedAtMs: number, delayMs: number) => {
    const earliestMs = unannounced.get(tenantId)
    unannounced.set(tenantId, Math.min(notedAtMs, earliestMs ?? notedAtMs))
    if (earliestMs === undefined) schedule(delayMs, () => void announceEvents(tenantId))
  }

  await listener.subscribe({
    channel: EVENT_CHANNEL,
    onNotification: (payload) => {
      const { tenantId, notedAtMs } = readEventNotification(payload)
      if (live.hasSubscribers(tenantId)) announceSoon(tenantId, notedAtMs, GATHER_EVENTS_MS)
    },
    // Missed events are announced with the next one; pages read everything since the last event they know.
    onConnected: () => {},
  })

  const evictUnused = setInterval(() => {
    for (const [tenantId, entry] of entries)
      if (Date.now() - entry.lastUsedMs > UNUSED_AFTER_MS && !live.hasSubscribers(tenantId)) entries.delete(tenantId)
  }, EVICT_INTERVAL_MS)
  evictUnused.unref()

  // A new half hour triggers no notification.
  const updateHeartbeats = setInterval(() => {
    for (const tenantId of entries.keys()) markChanged(tenantId, [])
  }, HEARTBEAT_INTERVAL_MS)
  updateHeartbeats.unref()

  return {
    bodies,
    live,
    snapshot: async (tenantId) => {
      const entry = entries.get(tenantId) ?? load(tenantId)
      entry.lastUsedMs = Date.now()
      await entry.loaded
      return entry.snapshot
    },
    close: async () => {
      isClosed = true
      clearInterval(evictUnused)
      clearInterval(updateHeartbeats)
      entries.clear()
      for (const timer of timers) clearTimeout(timer)
      live.close()
    },
  }
}
