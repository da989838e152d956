import type { ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../platform/database/database.ts'
import { findFeedAt } from '../platform/database/feed-time.ts'
import { listValidSubscribers, type SubscriberIdentity } from './live-queries.ts'
import type { Delta, Snapshot } from './snapshot.ts'

export interface Subscriber extends SubscriberIdentity {
  tenantId: string
  snapshot: Snapshot
  /** The revision that the page has, if it sent one. */
  since: string | undefined
  response: ServerResponse
}

interface Stream extends Subscriber {
  revision: string
  sentMs: number
}

const TICK_MS = 250
const MIN_SEND_INTERVAL_MS = 1_000
const HEARTBEAT_MS = 15_000
const UNSENT_BYTES_MAX = 8 * 1024 * 1024
const UNREAD_MAX_MS = 120_000
const STREAMS_PER_SESSION = 10
// Spreads out the reconnects of a stopping process's clients (thundering herd).
const RECONNECT_WITHIN_MS = 2_000

interface Options {
  database: Database
  log: FastifyBaseLogger
  /** The clock from which the age of the newest telemetry is computed. */
  now: () => Date
  /** How often the subscribers' rights are reread. */
  checkIntervalMs?: number | undefined
}

/** The open streams of this process: one per browser, each with the changes that its user may see. */
export const createLiveStreams = ({ database, log, now, checkIntervalMs = 5_000 }: Options) => {
  const streams = new Map<string, Set<Stream>>()
  const feedAt = new Map<string, Date | null>()
  let isClosed = false
  let checking = false
  // A monotonic clock, like all times here: streams must not stop when the clock of the machine is set back.
  let checkedMs = Number.NEGATIVE_INFINITY

  const drop = (stream: Stream) => {
    const tenantStreams = streams.get(stream.tenantId)
    tenantStreams?.delete(stream)
    if (tenantStreams?.size === 0) {
      streams.delete(stream.tenantId)
      feedAt.delete(stream.tenantId)
    }
    stream.response.end()
  }

  const disconnect = (stream: Stream) => {
    drop(stream)
    stream.response.destroy()
  }

  // A client that does not read would exhaust memory. It can reconnect and catch up.
  const write = (stream: Stream, text: string) => {
    stream.response.write(text)
    if (stream.response.writableLength > UNSENT_BYTES_MAX) disconnect(stream)
  }

  const writeFeedAge = (stream: Stream) => {
    const at = feedAt.get(stream.tenantId)
    const ageS = at ? Math.max(0, Math.round((now().getTime() - at.getTime()) / 1000)) : null
    stream.sentMs = performance.now()
    write(stream, feedEvent(stream.revision, ageS))
  }

  const flush = (stream: Stream) => {
    // A slow client gets everything it missed in one event, once it has read the previous ones.
    if (stream.response.writableNeedDrain) return
    const revision = stream.snapshot.revision(stream.view)
    if (revision === stream.revision) return
    const delta = stream.snapshot.deltaSince(stream.view, stream.revision)
    const before = stream.revision
    stream.revision = revision
    stream.sentMs = performance.now()
    if (delta) write(stream, changesEvent(delta, before, revision, stream.snapshot.halfHour()))
    // The page notices that its revision differs and fetches the list.
    else writeFeedAge(stream)
  }

  const check = async () => {
    for (const [tenantId, tenantStreams] of streams) {
      feedAt.set(tenantId, await database.transaction({ tenantId }, (db) => findFeedAt(db, tenantId)))
      // A stream that opens during this read was not checked, and stays.
      const checked = [...tenantStreams]
      const valid = await database.transaction({ tenantId }, (db) => listValidSubscribers(db, tenantId, checked))
      for (const stream of checked) if (!valid.has(stream)) drop(stream)
    }
  }

  const tick = () => {
    const nowMs = performance.now()
    for (const tenantStreams of streams.values())
      for (const stream of [...tenantStreams]) {
        if (stream.response.writableNeedDrain) {
          if (nowMs - stream.sentMs >= UNREAD_MAX_MS) disconnect(stream)
          continue
        }
        if (nowMs - stream.sentMs >= MIN_SEND_INTERVAL_MS) flush(stream)
        if (nowMs - stream.sentMs >= HEARTBEAT_MS) writeFeedAge(stream)
      }
    if (checking || streams.size === 0 || nowMs - checkedMs < checkIntervalMs) return
    checking = true
    check()
      .catch((error) => log.warn({ err: error }, 'Could not check the open streams.'))
      .finally(() => {
        checking = false
        checkedMs = performance.now()
      })
  }
  const ticking = setInterval(tick, TICK_MS)
  ticking.unref()

  return {
    subscribe: async (follower: Subscriber) => {
      const { tenantId, snapshot, since, response } = follower
      if (!feedAt.has(tenantId))
        feedAt.set(tenantId, await database.transaction({ tenantId }, (db) => findFeedAt(db, tenantId)))
      const known = since !== undefined && snapshot.deltaSince(follower.view, since) !== undefined
      const revision = known ? since : snapshot.revision(follower.view)
      const stream: Stream = { ...follower, revision, sentMs: Number.NEGATIVE_INFINITY }
      const tenantStreams = streams.get(tenantId) ?? new Set()
      streams.set(tenantId, tenantStreams.add(stream))
      const sessionStreams = [...tenantStreams].filter(({ senderId }) => senderId === follower.senderId)
      for (const oldest of sessionStreams.slice(0, -STREAMS_PER_SESSION)) drop(oldest)
      response.on('close', () => drop(stream))
      response.on('error', () => drop(stream))
      // If the client disconnected during the query above, the close event has already fired.
      if (response.destroyed || isClosed) return drop(stream)
      flush(stream)
      writeFeedAge(stream)
    },
    countStreams: () => streams.values().reduce((sum, { size }) => sum + size, 0),
    /** Sends a change immediately to streams that have been idle for a while; the others get it at the next tick. */
    notifyChanged: (tenantId: string) => {
      for (const stream of [...(streams.get(tenantId) ?? [])])
        if (performance.now() - stream.sentMs >= MIN_SEND_INTERVAL_MS) flush(stream)
    },
    /** Notifies the subscribers that can see an event of one of the groups. Administrators see all. */
    announceEvents: (tenantId: string, groups: ReadonlySet<string | null>) => {
      for (const stream of [...(streams.get(tenantId) ?? [])]) {
        const { group } = stream.view
        if (group === undefined || groups.has(group)) write(stream, event(stream.revision, '{"kind":"events"}'))
      }
    },
    hasSubscribers: (tenantId: string) => streams.has(tenantId),
    /** Tells every client to reconnect, which a proxy routes to another process. */
    close: () => {
      isClosed = true
      clearInterval(ticking)
      for (const tenantStreams of [...streams.values()])
        for (const stream of [...tenantStreams]) {
          stream.response.write(`retry: ${Math.round(RECONNECT_WITHIN_MS * Math.random())}\n\n`)
          drop(stream)
        }
    },
  }
}

export type LiveStreams = ReturnType<typeof createLiveStreams>

const event = (revision: string, data: string) => `id: ${revision}\ndata: ${data}\n\n`

const feedEvent = (revision: string, ageS: number | null) =>
  event(revision, JSON.stringify({ kind: 'feed', revision, ageS }))

const changesEvent = ({ whole, changes, goneIds }: Delta, since: string, revision: string, halfHour: number) =>
  event(
    revision,
    `{"kind":"changes","since":"${since}","revision":"${revision}","halfHour":${halfHour},"terminals":[${whole.join(',')}],` +
      `"changes":[${changes.join(',')}],"removed":${JSON.stringify(goneIds)}}`,
  )
