import pg from 'pg'
import { type Row, telemetryBody } from '#server/telemetry/testing/telemetry-body.ts'
import { getBucketStart } from '#server/telemetry/tiers.ts'
import { writeHistory } from '#server/telemetry/write-history.ts'
import { addLines } from '#server/terminal-detail/testing/lines.ts'
import type { TestDatabase } from '#server/testing/database.ts'
import { startTestServer } from '#server/testing/server.ts'
import { parseTelemetry } from '#starlink/telemetry.ts'

const S = 1000
const MIN = 60 * S
const HOUR = 60 * MIN
const DAY = 24 * HOUR
const SPAN = 2 * HOUR
const SAMPLE_STEP = 15 * S

const groups = { a: { school: 'north', clinic: 'north', camp: 'south' }, b: { lodge: 'north', depot: 'south' } }
export type Tenant = keyof typeof groups
export const lines = Object.entries(groups).flatMap(([tenant, names]) =>
  Object.keys(names).map((name) => ({ tenant: tenant as Tenant, name })),
)

/** A value that depends only on terminal and time, so that every database gets the same. */
const measure = (device: string, atMs: number) => ((atMs / SAMPLE_STEP) * (device.length + 7)) % 997

const rowAt = (device: string, atMs: number): Row => {
  const value = measure(device, atMs)
  return {
    device,
    atMs,
    downlinkMbps: value / 4,
    pingDrop: value % 50 === 0 ? 1 : 0,
    latencyMs: value % 9 === 0 ? null : 20 + value / 20,
    alerts: value % 31 === 0 ? [61] : [],
  }
}

const range = (fromMs: number, toMs: number, stepMs: number) =>
  Array.from({ length: Math.ceil((toMs - fromMs) / stepMs) }, (_, step) => fromMs + step * stepMs)

/** A batch of one minute for all terminals of the tenant. */
export const minuteBody = (tenant: Tenant, fromMs: number) =>
  telemetryBody(
    range(fromMs, fromMs + MIN, SAMPLE_STEP).flatMap((atMs) =>
      Object.keys(groups[tenant]).map((device) => rowAt(device, atMs)),
    ),
  )

/**
 * A server on `test` whose fleet has `historyDays` of history, the older part in tiers only, followed by `streamHours` in
 * batches of the stream, of which one arrives twice and one late.
 */
export const seedServer = async (
  test: TestDatabase,
  { nowMs, historyDays, streamHours }: { nowMs: number; historyDays: number; streamHours: number },
) => {
  const server = await startTestServer({}, test)
  server.clock.now = new Date(nowMs)
  const superuser = new pg.Client(server.superuser)
  await superuser.connect()
  const feeds: Record<string, Awaited<ReturnType<typeof addLines>>> = {}
  const streamMs = getBucketStart(nowMs - streamHours * HOUR, SPAN)
  const ingest = { rows: 0, ms: 0 }
  for (const [tenant, names] of Object.entries(groups)) {
    const feed = await addLines(
      server,
      tenant,
      Object.entries(names).map(([name, group]) => ({ name, group })),
    )
    feeds[tenant] = feed
    const { rows: terminals } = await superuser.query<{ id: number; device: string }>(
      'select id, device_id as device from terminals where tenant_id = $1 order by id',
      [tenant],
    )
    const scope = { tenantId: tenant, credentialId: feed.credentialId }
    const pieces = [...range(streamMs - historyDays * DAY, streamMs - SPAN, DAY), streamMs - SPAN]
    for (const [place, fromMs] of pieces.entries()) {
      const toMs = pieces[place + 1] ?? streamMs
      await writeHistory(server.database, {
        feed: scope,
        terminals: terminals.map(({ id, device }) => ({
          terminalId: id,
          samples: parseTelemetry(telemetryBody(range(fromMs, toMs, 2 * MIN).map((atMs) => rowAt(device, atMs))))
            .terminals,
        })),
        isLast: true,
        fromMs,
        toMs,
        stepMs: 2 * MIN,
        samplesFromMs: streamMs - SPAN,
        nowMs,
      })
    }
    const body = (fromMs: number, toMs: number) =>
      telemetryBody(
        range(fromMs, toMs, SAMPLE_STEP).flatMap((atMs) => Object.keys(names).map((device) => rowAt(device, atMs))),
      )
    // The second to last arrives at the end, and the one before it twice.
    const batchMs = (streamHours * HOUR) / 6
    const cuts = range(streamMs, nowMs + SAMPLE_STEP, batchMs)
    const batches = cuts.map((fromMs) => body(fromMs, Math.min(fromMs + batchMs, nowMs + SAMPLE_STEP)))
    const [late] = batches.splice(-2, 1)
    const beganMs = performance.now()
    for (const batch of [...batches, batches.at(-2), late]) await feed.receive(batch as string)
    ingest.ms += performance.now() - beganMs
    ingest.rows += (cuts.length * batchMs * Object.keys(names).length) / SAMPLE_STEP
  }
  await superuser.end()
  const tokens: Record<string, string> = {}
  for (const [name, tenant, user] of [
    ['admin', 'a', { role: 'admin', username: 'staff' }],
    ['north', 'a', { role: 'user', username: 'north' }],
    ['foreign', 'b', { role: 'admin', username: 'staff' }],
  ] as const) {
    await server.addUser(tenant, { ...user, email: `${name}@mail.example` })
    tokens[name] = (await server.signIn(tenant, `${name}@mail.example`)).access
  }
  const hosts: Record<string, Tenant> = { admin: 'a', north: 'a', foreign: 'b' }
  return {
    ...server,
    feeds,
    ingest,
    callers: Object.keys(hosts),
    /** A call as one of the callers, on the host of their tenant. */
    as: (caller: string, method: 'GET' | 'POST', path: string, body?: object) =>
      server.call(hosts[caller] as Tenant, method, path, { token: tokens[caller] as string, ...(body && { body }) }),
  }
}

export type SeededServer = Awaited<ReturnType<typeof seedServer>>
