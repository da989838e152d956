import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type TerminalDetail, terminalDetail } from '#contract/terminal-detail.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { addLines } from './testing/lines.ts'

/** Anchored on the 31st, so that cycles begin on the last day of shorter months. */
const CYCLES = [
  ['2026-01-31', '2026-02-28', 10],
  ['2026-02-28', '2026-03-31', 20],
  ['2026-03-31', '2026-04-30', 30],
  ['2026-10-31', '2026-11-30', 40],
  ['2026-11-30', '2026-12-31', 50],
  ['2026-12-31', '2027-01-31', 60],
  ['2028-01-31', '2028-02-29', 70],
  ['2028-02-29', '2028-03-31', 80],
] as const

/** The vendor omits days without usage. */
const DAYS = [
  ['2026-02-28', 1],
  ['2026-03-07', 2],
  ['2026-03-08', 3],
  ['2026-03-09', 4],
  ['2026-04-04', 5],
  ['2026-04-05', 6],
  ['2026-10-31', 7],
  ['2026-11-01', 8],
  ['2026-12-31', 9],
  ['2027-01-01', 10],
  ['2028-02-29', 11],
  ['2028-03-01', 12],
] as const

let server: TestServer
const machineZone = process.env.TZ

beforeAll(async () => {
  server = await startTestServer()
  for (const tenant of ['a', 'b']) {
    await addLines(server, tenant, [{ name: 'school', group: 'north' }])
    await server.addUser(tenant)
  }
  await server.database.transaction({ tenantId: 'a' }, async (_, client) => {
    for (const [start, end, gb] of CYCLES)
      await client.query(
        `insert into line_usage (tenant_id, service_line_id, cycle_start, cycle_end, priority_gb, standard_gb,
           opt_in_priority_gb, non_billable_gb, usage_limit_gb) select 'a', id, $1, $2, $3, 0, 0, 0, 500 from service_lines`,
        [start, end, gb],
      )
    for (const [day, gb] of DAYS)
      await client.query("insert into daily_usage select 'a', id, $1, $2, 1, 0, 0 from service_lines", [day, gb])
  })
})
afterEach(() => {
  process.env.TZ = machineZone
})
afterAll(() => server.close())

const useZone = async (zone: string) => {
  process.env.TZ = zone
  const superuser = await server.connectSuperuser()
  await superuser.query(`alter database "${server.runtime.database}" set timezone = '${zone}'`)
  // A connection keeps the time zone it was opened with.
  await superuser.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'dishboard_app' and datname = $1",
    [server.runtime.database],
  )
  const isBack = () =>
    sql`select 1`.execute(server.database.outsideTenants).then(
      () => true,
      () => false,
    )
  await expect.poll(isBack).toBe(true)
}

const detailAt = async (tenant: string, moment: string): Promise<TerminalDetail> => {
  server.clock.now = new Date(moment)
  const { access } = await server.signIn(tenant)
  const { status, body } = await server.call(tenant, 'POST', '/api/terminals/school/1440/', { token: access })
  expect(status).toBe(200)
  return z.decode(terminalDetail.get.output, body)
}

/** Every UTC day of the year up to a time, counted independently of our own calendar code. */
const daysUpTo = (first: string, moment: string) => {
  const days: string[] = []
  for (let ms = Date.parse(`${first}T00:00:00Z`); ms <= Date.parse(moment); ms += 86_400_000)
    days.push(new Date(ms).toISOString().slice(0, 10))
  return days
}

const MOMENTS: [moment: string, what: string, cycleStart: string, firstDay: string][] = [
  ['2026-02-28T23:59:59Z', 'the last second of February', '2026-02-28', '2026-01-31'],
  ['2026-03-08T10:59:00Z', 'clocks go forward in Anchorage in a minute', '2026-02-28', '2026-01-31'],
  ['2026-03-08T11:01:00Z', 'clocks have gone forward in Anchorage', '2026-02-28', '2026-01-31'],
  ['2026-04-04T14:01:00Z', 'clocks have gone back in Auckland', '2026-03-31', '2026-01-31'],
  ['2026-11-01T10:01:00Z', 'clocks have gone back in Anchorage', '2026-10-31', '2026-01-31'],
  ['2026-12-31T23:59:59Z', 'the last second of the year', '2026-12-31', '2026-01-31'],
  ['2027-01-01T00:00:00Z', 'the first moment of the year', '2026-12-31', '2027-01-01'],
  ['2028-02-29T12:00:00Z', 'February 29', '2028-02-29', '2028-01-01'],
  ['2028-03-01T04:30:00Z', 'February 29 in Anchorage, March 1 in Auckland', '2028-02-29', '2028-01-01'],
]

test.each(['America/Anchorage', 'Pacific/Auckland'])(
  'days and cycles are the vendor’s UTC ones in %s',
  async (zone) => {
    await useZone(zone)
    expect(new Date('2026-07-01T12:00:00Z').getHours()).not.toBe(12)
    for (const [moment, what, cycleStart, firstDay] of MOMENTS) {
      const { dailyUsage, monthlyUsage, period } = await detailAt('a', moment)
      expect(monthlyUsage?.start_date, what).toBe(cycleStart)
      expect(
        dailyUsage.map(({ date }) => date),
        what,
      ).toEqual(daysUpTo(firstDay, moment))
      for (const { date, priorityGB, standardGB } of dailyUsage) {
        const known = DAYS.find(([day]) => day === date)
        expect({ date, priorityGB, standardGB }, what).toEqual({
          date,
          priorityGB: known?.[1] ?? 0,
          standardGB: known ? 1 : 0,
        })
      }
      expect(period.to.getTime() - period.from.getTime()).toBe(86_400_000)
    }
    const { dailyUsage, monthlyUsage } = await detailAt('b', '2028-03-01T04:30:00Z')
    expect({ dailyUsage, monthlyUsage }).toEqual({ dailyUsage: [], monthlyUsage: null })
  },
)
