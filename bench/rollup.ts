import { readFileSync } from 'node:fs'
import pg from 'pg'
import { pino } from 'pino'
import { openDatabase } from '#server/platform/database/database.ts'
import { advanceTiers } from '#server/telemetry/advance-tiers.ts'
import { markSamplesDirty } from '#server/telemetry/dirty-buckets.ts'
import { createFeed, type Feed, feedLimits } from '#server/telemetry/feed.ts'
import { tiers } from '#server/telemetry/tiers.ts'
import { terminalMeasures } from '#starlink/telemetry-measures.ts'
import type { Figure } from './figures.ts'
import { SAMPLE_MS, TENANT } from './fill-store.ts'
import { openTelemetryStore, type TelemetryStore } from './telemetry-store.ts'

const SPAN_MS = 2 * 3_600_000

/** CPU time of this thread. */
const readThreadCpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** CPU time of a database backend. */
const readBackendCpuMs = (pid: number) => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6

const buildSample = (terminalId: number, atMs: number) => ({
  deviceId: String(terminalId),
  atMs,
  atUs: atMs * 1000,
  values: terminalMeasures.map((_, place) => (terminalId * (place + 3) + atMs / SAMPLE_MS) % 100),
  uptimeS: 1000,
  h3Cell: null,
  softwareVersion: null,
  countryCode: null,
  alerts: [],
})

/** Rolls up two hours of a fleet, one sample time after the other, like the connector. */
const rollUpSpan = async (feed: Feed, terminalIds: readonly number[], fromMs: number, pid: number) => {
  const own = new Set(terminalIds)
  let cpuMs = 0
  const measured = async (work: () => Promise<unknown>) => {
    const before = readThreadCpuMs() + readBackendCpuMs(pid)
    await work()
    cpuMs += readThreadCpuMs() + readBackendCpuMs(pid) - before
  }
  for (let atMs = fromMs; atMs <= fromMs + SPAN_MS + 60_000; atMs += SAMPLE_MS) {
    const terminals = terminalIds.map((terminalId) => ({ terminalId, samples: [buildSample(terminalId, atMs)] }))
    await measured(async () => {
      await feed.database.transaction(feed, (db) => markSamplesDirty(db, feed, { terminals, areNew: true, own }))
      feed.accumulator.add(terminals)
      feed.advanceWatermark(atMs)
      await advanceTiers(feed)
    })
  }
  return cpuMs
}

/** Removes the rows that the bench added, which are newer than everything in the store. */
const restore = async (store: TelemetryStore, fromMs: number, marks: { tier: string; complete_until: Date }[]) => {
  const client = new pg.Client(store.superuser)
  await client.connect()
  for (const { name } of tiers) await client.query(`delete from ${name} where at >= $1`, [new Date(fromMs)])
  await client.query('delete from dirty_buckets')
  for (const { tier, complete_until } of marks)
    await client.query('update rollup_watermarks set complete_until = $2 where tier = $1', [tier, complete_until])
  await client.end()
}

/** CPU time of the tiers with 10,000 terminals that report every 15 seconds. */
export const measureRollup = async (): Promise<Figure[]> => {
  const store = await openTelemetryStore()
  const database = openDatabase({ ...store.runtime, max: 1 }, () => {})
  const fromMs = Math.ceil(store.nowMs / SPAN_MS) * SPAN_MS
  try {
    const read = await database.transaction({ tenantId: TENANT }, async (db, client) => ({
      pid: (await client.query('select pg_backend_pid() as pid')).rows[0].pid as number,
      terminals: await db.selectFrom('terminals').select(['id', 'credential_id']).orderBy('id').execute(),
      marks: await db.selectFrom('rollup_watermarks').select(['tier', 'complete_until']).execute(),
    }))
    const feed = createFeed({
      tenantId: TENANT,
      credentialId: read.terminals[0]?.credential_id as number,
      database,
      limits: feedLimits,
      now: () => fromMs,
      log: pino({ level: 'warn' }),
    })
    await restore(store, fromMs, read.marks)
    const cpuMs = await rollUpSpan(
      feed,
      read.terminals.map(({ id }) => id),
      fromMs,
      read.pid,
    ).finally(() => restore(store, fromMs, read.marks))
    return [{ name: 'tiers of 10,000 terminals every 15 s, of one core', value: (100 * cpuMs) / SPAN_MS, unit: '%' }]
  } finally {
    await database.close()
    await store.close()
  }
}
