import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { areIncidentsUnknown, describeIncidentCount, summarizeReport } from '#contract/report-words.ts'
import type { Report } from '#contract/reports.ts'
import { addTurns } from '../notifications/testing/fleet.ts'
import { recordCoverage } from '../telemetry/coverage.ts'
import { addCredential, addLine } from '../testing/add-line.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { buildReport } from './build-report.ts'

const MONDAY = Date.parse('2026-03-02T00:00:00Z')
const at = (hours: number) => new Date(MONDAY + hours * 3_600_000)
const week = { group: null, period: 'week', firstDay: '2026-03-02', lastDay: '2026-03-08', timeZone: 'UTC' } as const

let server: TestServer
let terminals: number[]

beforeAll(async () => {
  server = await startTestServer()
  terminals = await server.database.transaction({ tenantId: 'a' }, async (db) => {
    const lines = []
    for (let index = 0; index < 5; index++)
      lines.push(await addLine(db, 'a', { service_line_number: `Line ${index}`, group_name: 'north' }))
    return lines.flatMap(({ terminalIds }) => terminalIds)
  })
})

afterAll(() => server.close())

const addIncident = (lost: readonly number[], fromHours: number, toHours: number) =>
  server.database.transaction({ tenantId: 'a' }, async (db) => {
    const id = randomUUID()
    await db
      .insertInto('incidents')
      .values({
        tenant_id: 'a',
        id,
        cause: 'power',
        reach: 'terminal',
        confidence: 0.9,
        started_at: at(fromHours),
        opened_at: at(fromHours),
        ended_at: at(toHours),
        terminal_count: lost.length,
        evidence: JSON.stringify({ observed: 5, back: lost.length, lostPower: 0, alerts: [] }),
      })
      .execute()
    await db
      .insertInto('terminal_losses')
      .values(
        lost.map((terminal_id) => ({
          tenant_id: 'a',
          terminal_id,
          lost_at: at(fromHours),
          back_at: at(toHours),
          disabled: false,
          facts: '{}',
          incident_id: id,
        })),
      )
      .execute()
  })

test('a report with many incidents lists the largest of its period, the newest of them first', async () => {
  const [one] = terminals as [number]
  for (let hour = 60; hour < 84; hour++) await addIncident([one], hour, hour + 0.1)
  await addIncident(terminals, 10, 12)
  await addIncident([one], 30, 36)
  // Half a minute of the week, though it began long before.
  await addIncident(terminals, -100, 0.01)
  const { incidents, incidentCount } = await server.database.transaction({ tenantId: 'a' }, (db) =>
    buildReport(db, 'a', week, at(200)),
  )
  expect([incidentCount, incidents.length]).toEqual([27, 20])
  expect(incidents.slice(-2).map(({ startedAt, terminals }) => [startedAt, terminals])).toEqual([
    [at(30), 1],
    [at(10), 5],
  ])
  expect(incidents.map(({ startedAt }) => startedAt)).not.toContainEqual(at(-100))
})

test('a report says since when incidents are known, if that is after the beginning of its period', async () => {
  const [one] = terminals as [number]
  const read = (since: Date | null) =>
    server.database.transaction({ tenantId: 'a' }, async (db): Promise<Report> => {
      const progress = { collected_until: at(200), collected_since: since }
      await db.deleteFrom('incident_progress').execute()
      await db
        .insertInto('incident_progress')
        .values({ tenant_id: 'a', ...progress })
        .execute()
      return buildReport(db, 'a', week, at(200))
    })
  const describe = async (since: Date | null) => {
    const report = await read(since)
    return [areIncidentsUnknown(report), describeIncidentCount(report), summarizeReport(report)[1]]
  }
  await server.database.transaction({ tenantId: 'a' }, async (db) => {
    const observed = { fromMs: at(-1000).getTime(), toMs: at(1000).getTime() }
    await recordCoverage(db, { tenantId: 'a', credentialId: await addCredential(db, 'a') }, [observed])
  })
  for (const [hours, status] of [
    [-500, 'online'],
    [1, 'offline'],
    [2, 'online'],
  ] as const)
    await addTurns(server.database, 'a', [{ terminalId: one, status, at: at(hours), notedAt: at(hours) }])
  const all = [false, '1 outage', 'There were 27 incidents and 1 outage.']
  expect(await describe(null)).toEqual(all)
  expect(await describe(at(-1))).toEqual(all)
  expect(await describe(at(30))).toEqual([
    false,
    'Known since Mar 3',
    'There was 1 outage. Incidents are known since Mar 3: 27 incidents.',
  ])
  await server.database.transaction({ tenantId: 'a' }, (db) => db.deleteFrom('terminal_losses').execute())
  await server.database.transaction({ tenantId: 'a' }, (db) => db.deleteFrom('incidents').execute())
  expect(await describe(at(300))).toEqual([
    true,
    'Known since Mar 14',
    'There was 1 outage. Incidents are known since Mar 14.',
  ])
})
