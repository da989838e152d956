import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ReportTerminal } from '#contract/reports.ts'
import { addTurns } from '../notifications/testing/fleet.ts'
import { addLine } from '../testing/add-line.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { buildReport } from './build-report.ts'

const MONDAY = Date.parse('2026-03-02T00:00:00Z')
const at = (hours: number) => new Date(MONDAY + hours * 3_600_000)
const week = { group: null, period: 'week', firstDay: '2026-03-02', lastDay: '2026-03-08', timeZone: 'UTC' } as const

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  const terminalIds = await server.database.transaction({ tenantId: 'a' }, async (db) => {
    const add = (name: string, terminals: { removed_at?: Date }[]) =>
      addLine(db, 'a', { service_line_number: name, group_name: 'north', terminals })
    // One dish replaced by the next, twice; two dishes at once; and two lines that were given up, one after a replacement.
    const lines = [
      await add('Replaced', [{ removed_at: at(20) }, { removed_at: at(60) }, {}]),
      await add('Two dishes', [{}, {}]),
      await add('Given up', [{ removed_at: at(30) }, { removed_at: at(90) }]),
      await add('Single', [{}]),
    ]
    for (const [index, { lineId }] of lines.entries())
      await sql`insert into daily_usage values ('a', ${lineId}, '2026-03-04', ${10 ** index}, 0, 0, 0)`.execute(db)
    return lines.flatMap((line) => line.terminalIds)
  })
  const turns = terminalIds.map((terminalId) => ({
    terminalId,
    status: 'online' as const,
    at: at(-10),
    notedAt: at(-10),
  }))
  await addTurns(server.database, 'a', turns)
})
afterAll(() => server.close())

test('the usage of a line is listed once, with the terminal that is still there or left last', async () => {
  const { terminals, usage } = await server.database.transaction({ tenantId: 'a' }, (db) =>
    buildReport(db, 'a', week, at(200)),
  )
  const byKit = new Map(terminals.map(({ kit, usedGb }: ReportTerminal) => [kit, usedGb]))
  expect(Object.fromEntries(byKit)).toEqual({
    'KIT-Replaced-1': null,
    'KIT-Replaced-2': null,
    'KIT-Replaced-3': 1,
    'KIT-Two dishes-1': 10,
    'KIT-Two dishes-2': null,
    'KIT-Given up-1': null,
    'KIT-Given up-2': 100,
    'KIT-Single-1': 1000,
  })
  expect([...byKit.values()].reduce<number>((sum, gb) => sum + (gb ?? 0), 0)).toBe(usage.usedGb)
})
