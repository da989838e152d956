import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { terminalMeasures } from '#starlink/telemetry-measures.ts'
import type { TerminalSample } from '#starlink/telemetry-terminal.ts'
import { ensurePartitions, formatUtcDay } from '../telemetry/partitions.ts'
import { writePastStatus } from '../telemetry/past-status.ts'
import { addCredential, addLine } from '../testing/add-line.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { judgeTenant } from './queue.ts'
import { recordPastLosses } from './record-past-losses.ts'

const MINUTE_MS = 60_000
const STEP_MS = 2 * MINUTE_MS
const SLOT_MS = 15_000

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const build = (atMs: number, bootedMs: number, alerts: string[] = []): TerminalSample => ({
  deviceId: 'any',
  atMs,
  atUs: atMs * 1000,
  values: terminalMeasures.map(({ name }) => (name === 'signalQuality' ? 0.99 : 0)),
  alerts,
  uptimeS: (atMs - bootedMs) / 1000,
  h3Cell: '850c2da3fffffff',
  softwareVersion: 'a',
  countryCode: 'US',
})

test('incidents of an imported past have the cause that the rows around them show, also when they are judged again', async () => {
  const { database } = server
  const beganMs = Math.floor((server.clock.now.getTime() - 10 * 86_400_000) / STEP_MS) * STEP_MS
  const toMs = beganMs + 230 * MINUTE_MS
  const samples: TerminalSample[] = []
  const report = (from: number, to: number, booted: number, alerts: string[] = []) => {
    for (let atMs = beganMs + from * MINUTE_MS; atMs < beganMs + to * MINUTE_MS; atMs += STEP_MS)
      samples.push(build(atMs, beganMs + booted * MINUTE_MS, alerts))
  }
  report(0, 60, -600)
  // A restart of four minutes, then half an hour without power, then an hour for which nothing of its own explains it.
  report(64, 100, 63)
  report(130, 134, 129, ['power_disconnect_detected'])
  report(134, 170, 129)
  report(220, 230, 129)
  const feed = await database.transaction({ tenantId: 'a' }, async (db) => {
    const { terminalIds } = await addLine(db, 'a', { service_line_number: 'Nome', group_name: 'north' })
    return { tenantId: 'a', credentialId: await addCredential(db, 'a'), terminalId: terminalIds[0] as number }
  })
  const terminals = [{ terminalId: feed.terminalId, samples }]
  await writePastStatus(database, {
    feed,
    terminals,
    toMs,
    stepMs: STEP_MS,
    nowMs: toMs,
    recordLosses: recordPastLosses,
  })
  const judge = async () => {
    while ((await judgeTenant(database, 'a', server.clock.now)).upTo < server.clock.now);
    const { rows } = await database.transaction({ tenantId: 'a' }, (db) =>
      sql<{ cause: string; power: number; noticed: number }>`
        select cause, (evidence ->> 'lostPower')::integer as power,
          extract(epoch from opened_at - started_at)::integer as noticed
        from incidents order by started_at`.execute(db),
    )
    return rows
  }
  // Dated as if they had been noticed in time.
  const expected = [
    { cause: 'restart', power: 0, noticed: 195 },
    { cause: 'power', power: 1, noticed: 195 },
    { cause: 'unknown', power: 0, noticed: 195 },
  ]
  expect(await judge()).toEqual(expected)
  const readFacts = async () =>
    (
      await database.transaction({ tenantId: 'a' }, (db) =>
        sql<{ facts: object }>`select facts from terminal_losses order by lost_at`.execute(db),
      )
    ).rows
  const facts = await readFacts()
  await database.transaction({ tenantId: 'a' }, (db) => sql`delete from incident_progress`.execute(db))
  expect(await judge()).toEqual(expected)
  expect(await readFacts()).toEqual(facts)
})

test('the last loss before what is known already keeps what its rows show, whatever is stored of that time', async () => {
  const { database } = server
  const nowMs = server.clock.now.getTime()
  const toMs = Math.floor((nowMs - 60 * MINUTE_MS) / SLOT_MS) * SLOT_MS
  const lostMs = toMs - 12 * 60 * MINUTE_MS
  const backMs = lostMs + 4 * MINUTE_MS
  const samples: TerminalSample[] = []
  const report = (fromMs: number, untilMs: number, bootedMs: number) => {
    for (let atMs = fromMs; atMs < untilMs; atMs += SLOT_MS) samples.push(build(atMs, bootedMs))
  }
  report(lostMs - 60 * MINUTE_MS, lostMs, lostMs - 600 * MINUTE_MS)
  report(backMs, backMs + 60 * MINUTE_MS, backMs - MINUTE_MS)
  const feed = await database.transaction({ tenantId: 'b' }, async (db) => {
    const { terminalIds } = await addLine(db, 'b', { service_line_number: 'Nome', group_name: 'north' })
    await sql`
      insert into status_intervals (tenant_id, terminal_id, started_at, noted_at, status)
      values ('b', ${terminalIds[0]}, ${new Date(backMs + 60 * MINUTE_MS)}, ${new Date(nowMs)}, 'online')`.execute(db)
    return { tenantId: 'b', credentialId: await addCredential(db, 'b'), terminalId: terminalIds[0] as number }
  })
  await writePastStatus(database, {
    feed,
    terminals: [{ terminalId: feed.terminalId, samples }],
    toMs: backMs + 60 * MINUTE_MS,
    stepMs: SLOT_MS,
    nowMs,
    recordLosses: recordPastLosses,
  })
  const judge = async () => {
    while ((await judgeTenant(database, 'b', server.clock.now)).upTo < server.clock.now);
    const { rows } = await database.transaction({ tenantId: 'b' }, (db) =>
      sql<{ cause: string; noticed: number; booted: number }>`
        select cause, extract(epoch from opened_at - incident.started_at)::integer as noticed,
          (loss.facts #>> '{after,bootedAtMs}')::bigint as booted
        from incidents as incident join terminal_losses as loss on loss.incident_id = incident.id`.execute(db),
    )
    return rows
  }
  const expected = [{ cause: 'restart', noticed: 195, booted: backMs - MINUTE_MS }]
  expect(await judge()).toEqual(expected)
  // Samples that were stored less often show nothing of the restart.
  await ensurePartitions(database, [formatUtcDay(lostMs - MINUTE_MS), formatUtcDay(backMs + MINUTE_MS)])
  await database.transaction({ tenantId: 'b' }, async (db) => {
    await sql`
      insert into samples (tenant_id, terminal_id, at, uptime_s, signal_quality) values
        ('b', ${feed.terminalId}, ${new Date(lostMs - MINUTE_MS)}, 600, 0.99),
        ('b', ${feed.terminalId}, ${new Date(backMs + MINUTE_MS)}, 86400, 0.99)`.execute(db)
    await sql`delete from incident_progress`.execute(db)
  })
  expect(await judge()).toEqual(expected)
})
