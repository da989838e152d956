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

const POWER_LOST = 61
const DISABLED = 55

const today = Math.floor(Date.now() / DAY)
/** A tree that grows over three weeks, with no two days alike. */
const obstructionAt = (atMs: number) => {
  const daysAgo = today - Math.floor(atMs / DAY)
  return 0.004 + 0.0008 * Math.max(0, 22 - daysAgo) + 0.0001 * ((daysAgo * 7) % 5)
}

interface Trouble {
  devices: string[]
  /** Which of every three hours, and which minutes of it. */
  hour: number
  minutes: [from: number, to: number]
}

/** Two terminals are lost nearly together, others alone. Another one of the same account always reports. */
const silences: Trouble[] = [
  { devices: ['school'], hour: 1, minutes: [10, 35] },
  { devices: ['clinic'], hour: 1, minutes: [10.25, 37.25] },
  { devices: ['camp'], hour: 2, minutes: [20, 31] },
  { devices: ['lodge'], hour: 0, minutes: [5, 25] },
]
const disabled: Trouble = { devices: ['depot'], hour: 2, minutes: [0, 40] }

const isIn = ({ devices, hour, minutes: [from, to] }: Trouble, device: string, atMs: number) => {
  const minute = (atMs % HOUR) / MIN
  return devices.includes(device) && Math.floor(atMs / HOUR) % 3 === hour && minute >= from && minute < to
}

/** Now and then a terminal loses all pings, each at another time, so that no two losses have the same. */
const losesPings = (device: string, atMs: number) =>
  (atMs / SAMPLE_STEP) % 400 === 8 * lines.findIndex(({ name }) => name === device)

const rowAt = (device: string, atMs: number): Row => {
  const value = measure(device, atMs)
  const losesPower = device === 'camp' && silences.some((each) => isIn(each, device, atMs + MIN))
  return {
    device,
    atMs,
    downlinkMbps: value / 4,
    pingDrop: losesPings(device, atMs) ? 1 : 0,
    latencyMs: value % 9 === 0 ? null : 20 + value / 20,
    alerts: isIn(disabled, device, atMs) ? [DISABLED] : value % 31 === 0 || losesPower ? [POWER_LOST] : [],
    ...(device === 'school' && { obstruction: obstructionAt(atMs) }),
  }
}

const range = (fromMs: number, toMs: number, stepMs: number) =>
  Array.from({ length: Math.ceil((toMs - fromMs) / stepMs) }, (_, step) => fromMs + step * stepMs)

const listRows = (devices: readonly string[], fromMs: number, toMs: number, stepMs = SAMPLE_STEP) =>
  range(fromMs, toMs, stepMs).flatMap((atMs) =>
    devices.filter((device) => !silences.some((each) => isIn(each, device, atMs))).map((device) => rowAt(device, atMs)),
  )

/** A batch of one minute for all terminals of the tenant. */
export const minuteBody = (tenant: Tenant, fromMs: number) =>
  telemetryBody(listRows(Object.keys(groups[tenant]), fromMs, fromMs + MIN))

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
  const superuser = await server.connectSuperuser()
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
          samples: parseTelemetry(telemetryBody(listRows([device], fromMs, toMs, 2 * MIN))).terminals,
        })),
        isLast: true,
        fromMs,
        toMs,
        stepMs: 2 * MIN,
        samplesFromMs: streamMs - SPAN,
        nowMs,
      })
    }
    // The second to last arrives at the end, and the one before it twice.
    const batchMs = (streamHours * HOUR) / 6
    const cuts = range(streamMs, nowMs + SAMPLE_STEP, batchMs)
    const batches = cuts.map((fromMs) =>
      listRows(Object.keys(names), fromMs, Math.min(fromMs + batchMs, nowMs + SAMPLE_STEP)),
    )
    const [late] = batches.splice(-2, 1)
    const beganMs = performance.now()
    for (const batch of [...batches, batches.at(-2), late] as Row[][]) {
      await feed.receive(telemetryBody(batch))
      ingest.rows += batch.length
    }
    ingest.ms += performance.now() - beganMs
  }
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
