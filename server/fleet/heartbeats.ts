import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { getHalfHour, getHeartbeatState, HALF_HOUR_MS, HALF_HOURS } from '#contract/heartbeat.ts'
import type { Db } from '../platform/database/database.ts'
import { drawHeartbeat, type FeedDay, prepareFeedDay, type Span } from './draw-heartbeat.ts'
import type { PresentRow } from './fleet-queries.ts'

const CHECK_INTERVAL_MS = 60_000
const AT_A_TIME = 2_000
const NO_SPANS: readonly Span[] = []

interface TimeRow {
  from_ms: number
  to_ms: number | null
}
const toSpan = ({ from_ms, to_ms }: TimeRow): Span => ({ fromMs: from_ms, toMs: to_ms ?? Number.POSITIVE_INFINITY })

/** Time as a number, which is faster to read than a date for many rows. */
const toMs = (time: ReturnType<typeof sql>) => sql<number>`date_part('epoch', ${time}) * 1000`

/** When each account's feed reported any terminal. */
const readObserved = async (db: Db, tenantId: string, from: Date) => {
  const { rows } = await sql<TimeRow & { credential_id: number }>`
    select credential_id, ${toMs(sql`lower(span)`)} as from_ms, ${toMs(sql`upper(span)`)} as to_ms
    from feed_coverage, unnest(observed) as span
    where tenant_id = ${tenantId} and day >= (${from}::timestamptz at time zone 'UTC')::date`.execute(db)
  return groupSpans(rows, ({ credential_id }) => credential_id)
}

/** When terminals were down, for all or for the given ones. */
const readDowns = async (db: Db, tenantId: string, from: Date, ids: readonly number[] | 'all') => {
  const some = ids === 'all' ? sql`` : sql`and terminal_id = any(${ids}::bigint[])`
  const { rows } = await sql<TimeRow & { terminal_id: number }>`
    select terminal_id, ${toMs(sql`started_at`)} as from_ms, ${toMs(sql`ended_at`)} as to_ms
    from status_intervals
    where tenant_id = ${tenantId} ${some} and (status <> 'online' or disabled)
      and (ended_at > ${from} or ended_at is null)`.execute(db)
  return groupSpans(rows, ({ terminal_id }) => terminal_id)
}

/** Since when terminals have a status, for those without one before `from`. An interval is recorded when it starts, or later. */
const readNew = async (db: Db, tenantId: string, from: Date, ids: readonly number[] | 'all') => {
  const some = ids === 'all' ? sql`` : sql`and terminal_id = any(${ids}::bigint[])`
  const { rows } = await sql<{ terminal_id: number; since_ms: number }>`
    select terminal_id, ${toMs(sql`min(started_at)`)} as since_ms
    from status_intervals as recent
    where tenant_id = ${tenantId} ${some} and noted_at > ${from}
    group by terminal_id
    having not exists (
      select from status_intervals as earlier
      where earlier.tenant_id = ${tenantId} and earlier.terminal_id = recent.terminal_id and earlier.started_at <= ${from})`.execute(
    db,
  )
  return new Map(rows.map(({ terminal_id, since_ms }) => [terminal_id, since_ms]))
}

const groupSpans = <Row extends TimeRow>(rows: readonly Row[], key: (row: Row) => number) =>
  new Map([...Map.groupBy(rows, key)].map(([id, own]) => [id, own.map(toSpan)]))

const readTerminals = async (db: Db, tenantId: string) => {
  const { rows } = await sql<{ terminal_id: number; credential_id: number; line_id: number }>`
    select terminal.id as terminal_id, terminal.credential_id, terminal.service_line_id as line_id
    from terminals as terminal
    where terminal.tenant_id = ${tenantId} and terminal.removed_at is null and exists (
      select from status_intervals as status
      where status.tenant_id = terminal.tenant_id and status.terminal_id = terminal.id and status.ended_at is null)`.execute(
    db,
  )
  return rows
}

interface Drawn {
  terminal_id: number
  credential_id: number
}

interface Feeds {
  /** By account. */
  days: ReadonlyMap<number, FeedDay>
  /** For accounts that have never reported anything. */
  unknown: FeedDay
}

const prepareFeeds = (nowMs: number, observed: ReadonlyMap<number, readonly Span[]>): Feeds => ({
  days: new Map([...observed].map(([id, spans]) => [id, prepareFeedDay(nowMs, spans)])),
  unknown: prepareFeedDay(nowMs, NO_SPANS),
})

/**
 * The last 24 hours of each terminal of a tenant, in memory. One is redrawn when its terminal goes down or comes back;
 * all are redrawn when a half hour starts or when a feed's coverage becomes known.
 */
export const createHeartbeats = (tenantId: string, now: () => Date) => {
  let texts = new Map<number, string>()
  let feeds = prepareFeeds(0, new Map())
  let checkedMs = Number.NEGATIVE_INFINITY

  const draw = async (
    db: Db,
    { days, unknown }: Feeds,
    terminals: readonly Drawn[],
    ids: readonly number[] | 'all',
  ) => {
    const from = getStart(unknown.last)
    const downs = await readDowns(db, tenantId, from, ids)
    const since = await readNew(db, tenantId, from, ids)
    const drawn = new Map<number, string>()
    for (const [index, { terminal_id: id, credential_id: credentialId }] of terminals.entries()) {
      if (index % AT_A_TIME === AT_A_TIME - 1) await setImmediate()
      const day = days.get(credentialId) ?? unknown
      const [own, knownSinceMs] = [downs.get(id), since.get(id)]
      const isPlain = own === undefined && knownSinceMs === undefined
      const history = { downs: own ?? NO_SPANS, knownSinceMs: knownSinceMs ?? Number.NEGATIVE_INFINITY }
      drawn.set(id, isPlain ? day.text : drawHeartbeat(day, history))
    }
    return drawn
  }

  return {
    /** The last half hour of the texts. */
    last: () => feeds.unknown.last,

    get: (terminalId: number | null) => (terminalId === null ? null : (texts.get(terminalId) ?? null)),

    /** Redraws all if the time requires it. Returns the lines whose terminals look different. */
    update: async (db: Db): Promise<number[]> => {
      const nowMs = now().getTime()
      const isNext = getHalfHour(nowMs) !== feeds.unknown.last
      if (!isNext && nowMs - checkedMs < CHECK_INTERVAL_MS) return []
      const next = prepareFeeds(nowMs, await readObserved(db, tenantId, getStart(getHalfHour(nowMs))))
      const isSame = !isNext && [...next.days].every(([id, { text }]) => feeds.days.get(id)?.text === text)
      const terminals = isSame ? [] : await readTerminals(db, tenantId)
      const drawn = isSame ? texts : await draw(db, next, terminals, 'all')
      const changed = terminals.filter(({ terminal_id: id }) => texts.get(id) !== drawn.get(id))
      // Assigned last, so that a failure above is retried.
      ;[texts, feeds, checkedMs] = [drawn, next, nowMs]
      return changed.map(({ line_id }) => line_id)
    },

    /** Redraws the rows that are new, went down or came back. */
    follow: async (db: Db, rows: readonly PresentRow[]): Promise<void> => {
      const changed = rows.filter(({ terminal_id, is_down }) => {
        if (terminal_id === null || is_down === null) return false
        const text = texts.get(terminal_id)
        if (text === undefined) return true
        const state = getHeartbeatState(text, feeds.unknown.last)
        return state !== 'not observed' && (state === 'down') !== is_down
      })
      if (changed.length === 0) return
      const drawn = await draw(
        db,
        feeds,
        changed as Drawn[],
        changed.map(({ terminal_id }) => terminal_id as number),
      )
      for (const [id, text] of drawn) texts.set(id, text)
    },
  }
}

const getStart = (last: number) => new Date((last - HALF_HOURS + 1) * HALF_HOUR_MS)
