import { type RawBuilder, sql } from 'kysely'
import { ApiError, tooMany } from '#contract/errors.ts'
import { isFromClockAhead, MAX_AHEAD_MS } from '../platform/clock-ahead.ts'
import type { Db } from '../platform/database/database.ts'
import { listNetworks } from '../platform/network.ts'
import { sha256 } from '../platform/secrets.ts'
import { enqueue } from '../platform/worker/enqueue.ts'

/**
 * A leaky bucket in the database, so that it applies across processes. Each attempt adds one to its level, and time
 * drains it. Below `free`, attempts are not delayed. From there on each attempt starts a pause twice as long as the last,
 * until a pause is as long as it takes to drain one attempt.
 */
export interface RateLimit {
  key: string
  free: number
  firstPauseSeconds: number
  drainSeconds: number
}

/** `max` in `minutes`: not delayed at first, and then evenly spaced. */
export const perMinutes = (key: string, max: number, minutes: number): RateLimit => {
  const drainSeconds = (minutes * 60) / max
  return { key, free: max, firstPauseSeconds: drainSeconds, drainSeconds }
}

/**
 * The same for the network of an address, and four times as many for each wider one: one customer may have 65,536 networks
 * of IPv6, but many customers of a provider share a few addresses of IPv4.
 */
export const perNetwork = (key: string, address: string, max: number, minutes: number): RateLimit[] =>
  listNetworks(address).map((network, index) => perMinutes(`${key}:${network}`, max * 4 ** index, minutes))

/** The maximum number of rows per tenant. Beyond it the rows that expire first are deleted: those hit least and longest ago. */
export const MAX_ROWS = 20_000
/** The number of attempts in a process between two purge requests. */
const PURGE_EVERY = 1_000

interface Row {
  key: Buffer
  level: number
  updated_at: Date
  paused_until: Date
}

export const toKeys = (limits: readonly RateLimit[]) => limits.map(({ key }) => sha256(key))

/** What an attempt added, to be refunded if it was not a guess. */
export type Consumed = { key: Buffer; pausedUntil: Date }[]

// Not the current time: another process's clock may be behind.
const NEVER = new Date(0)

const drain = ({ level, updated_at }: Row, { drainSeconds }: RateLimit, now: Date) =>
  Math.max(0, level - Math.max(0, now.getTime() - updated_at.getTime()) / 1000 / drainSeconds)

const nextPauseSeconds = (level: number, { free, firstPauseSeconds, drainSeconds }: RateLimit) => {
  const beyond = Math.round(level) - free
  return beyond < 0 ? 0 : Math.min(drainSeconds, firstPauseSeconds * 2 ** beyond)
}

/** A pause that a clock ahead has begun would last until the clock gets there again. */
const isPaused = ({ paused_until, updated_at }: Pick<Row, 'paused_until' | 'updated_at'>, now: Date) =>
  paused_until > now && !isFromClockAhead(updated_at, now)

/** The same as a condition on the row `r`. */
export const isPausedAt = (now: RawBuilder<Date>) =>
  sql`(r.paused_until > ${now} and r.updated_at <= ${now} + interval '${sql.raw(String(MAX_AHEAD_MS))} ms')`

const addSeconds = (moment: Date, seconds: number) => new Date(moment.getTime() + seconds * 1000)

export const secondsUntil = (moment: Date, now: Date) =>
  Math.max(1, Math.ceil((moment.getTime() - now.getTime()) / 1000))

/** Seconds until the limits allow an attempt, without counting one. */
const readPause = async (db: Db, tenantId: string, keys: readonly Buffer[], now: Date) => {
  const { rows } = await sql<{ until: Date | null }>`
    select max(r.paused_until) as until from rate_limits as r
    where r.tenant_id = ${tenantId} and r.key = any(${keys}::bytea[]) and ${isPausedAt(sql`${now}::timestamptz`)}`.execute(
    db,
  )
  return secondsUntil(rows[0]?.until ?? now, now)
}

/**
 * Locks the row of each key, always in the same order, so that attempts do not deadlock. Missing rows are created. If one
 * of them is paused, nothing is written and no row is returned, because refused attempts can arrive at any rate.
 */
const lockRows = async (db: Db, tenantId: string, keys: readonly Buffer[], now: Date) => {
  const { rows } = await sql<Row>`
    insert into rate_limits (tenant_id, key, level, updated_at, paused_until, expires_at)
    select ${tenantId}::text, key, 0, ${now}::timestamptz, ${NEVER}::timestamptz, ${now}::timestamptz
    from unnest(${keys}::bytea[]) as given (key)
    where not exists (
      select from rate_limits as r
      where r.tenant_id = ${tenantId} and r.key = any(${keys}::bytea[]) and ${isPausedAt(sql`${now}::timestamptz`)})
    order by key
    on conflict (tenant_id, key) do update set level = rate_limits.level
    returning key, level, updated_at, paused_until`.execute(db)
  return new Map(rows.map((row) => [row.key.toString('hex'), row]))
}

const writeRows = (
  db: Db,
  tenantId: string,
  now: Date,
  rows: readonly { key: Buffer; level: number; pausedUntil: Date; expiresAt: Date }[],
) =>
  sql`
    update rate_limits as r set level = given.level, updated_at = ${now}::timestamptz, paused_until = given.paused_until,
      expires_at = given.expires_at
    from unnest(${rows.map(({ key }) => key)}::bytea[], ${rows.map(({ level }) => level)}::float8[],
      ${rows.map(({ pausedUntil }) => pausedUntil)}::timestamptz[], ${rows.map(({ expiresAt }) => expiresAt)}::timestamptz[])
      as given (key, level, paused_until, expires_at)
    where r.tenant_id = ${tenantId} and r.key = given.key`.execute(db)

/** Deletes expired rows, and then those that expire first, until at most `maxRows` are left. */
export const trimRateLimits = (db: Db, tenantId: string, now: Date, maxRows = MAX_ROWS) =>
  // Locked rows are in use. Waiting for one while holding others could deadlock.
  sql`
    with ranked as (
      select key, expires_at, row_number() over (order by expires_at desc) as place
      from rate_limits where tenant_id = ${tenantId}
    ), surplus as (
      select r.key from rate_limits as r join ranked using (key)
      where r.tenant_id = ${tenantId} and (ranked.expires_at <= ${now} or ranked.place > ${maxRows})
      for update of r skip locked
    )
    delete from rate_limits as r using surplus where r.tenant_id = ${tenantId} and r.key = surplus.key`.execute(db)

let attempts = 0

/** An attack adds rows faster than the daily purge deletes them. */
const requestPeriodicPurge = async (db: Db, tenantId: string) => {
  attempts++
  if (attempts % PURGE_EVERY === 0) await enqueue(db, 'purge', tenantId)
}

/**
 * Counts an attempt against every limit, before anything is compared. If one of them is paused, throws 429 with the
 * seconds to wait; the transaction must then be rolled back, so that a refused attempt is not counted.
 */
export const consume = async (
  db: Db,
  tenantId: string,
  limits: readonly RateLimit[],
  now: Date,
  describe?: (wait: string) => string,
): Promise<Consumed> => {
  const hashed = limits.map((limit) => ({ limit, key: sha256(limit.key) }))
  const keys = hashed.map(({ key }) => key)
  const rows = await lockRows(db, tenantId, keys, now)
  if (rows.size < keys.length || [...rows.values()].some((row) => isPaused(row, now)))
    throw tooMany(await readPause(db, tenantId, keys, now), describe)
  await requestPeriodicPurge(db, tenantId)
  const counted = hashed.map(({ key, limit }) => {
    const level = drain(rows.get(key.toString('hex')) as Row, limit, now) + 1
    const pauseSeconds = nextPauseSeconds(level, limit)
    const pausedUntil = pauseSeconds > 0 ? addSeconds(now, pauseSeconds) : NEVER
    return { key, level, pausedUntil, expiresAt: addSeconds(now, level * limit.drainSeconds) }
  })
  await writeRows(db, tenantId, now, counted)
  return counted.map(({ key, pausedUntil }) => ({ key, pausedUntil }))
}

/** Counts an attempt if the limits allow it, for work that is otherwise skipped. */
export const tryConsume = async (db: Db, tenantId: string, limits: readonly RateLimit[], now: Date) => {
  try {
    await consume(db, tenantId, limits, now)
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

/** The attempt was not a guess: it does not count, the pause that it started ends, and the limits in `reset` start over. */
export const refund = async (db: Db, tenantId: string, consumed: Consumed, reset: readonly RateLimit[] = []) => {
  const resetKeys = toKeys(reset)
  const counted = consumed.filter(({ key }) => !resetKeys.some((each) => each.equals(key)))
  const keys = counted.map(({ key }) => key)
  // Locked in the same order as attempts are counted, or the two would deadlock.
  await sql`
    with locked as materialized (
      select key from rate_limits where tenant_id = ${tenantId} and key = any(${[...keys, ...resetKeys]}::bytea[])
      order by key for update
    ), reset as (
      delete from rate_limits as r using locked
      where r.tenant_id = ${tenantId} and r.key = locked.key and r.key = any(${resetKeys}::bytea[])
    )
    update rate_limits as r set level = greatest(0, r.level - 1),
      paused_until = case when r.paused_until = given.paused_until then ${NEVER} else r.paused_until end
    from locked join unnest(${keys}::bytea[], ${counted.map(({ pausedUntil }) => pausedUntil)}::timestamptz[])
      as given (key, paused_until) using (key)
    where r.tenant_id = ${tenantId} and r.key = locked.key`.execute(db)
}
