import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays } from '#contract/calendar-period.ts'
import type { ExecutiveMonths, Plan } from '#contract/executive.ts'
import { createFleet } from '../plans/testing/fleet.ts'
import { runOnce } from '../testing/database.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

const LINES = 12
/** A line whose cycles ended in summer. */
const STOPPED = 6
const FIRST = '2026-05-20'
const DAYS = 200
const NOW = new Date('2026-12-03T06:00:00Z')
const PASSED_OF_TODAY = 0.25
/** Billing cycles of the lines begin on different days of the month, the last of which January has and February has not. */
const ANCHORS = [1, 2, 13, 28, 31]

let server: TestServer
let admin: string
const lineIds: number[] = []
/** The usage of each line by day, as last written. */
const used = new Map<number, Map<string, number>>()
/** The first day of each billing cycle of a line, and the day after it. */
const cycles = new Map<number, [string, string][]>()

const getCycleStart = (month: number, anchor: number) => {
  const last = new Date(Date.UTC(2026, month + 1, 0)).getUTCDate()
  return new Date(Date.UTC(2026, month, Math.min(anchor, last))).toISOString().slice(0, 10)
}
const getGroup = (index: number) => `group ${index % 3}`
/** Every fourth line pauses in summer, and then has a cycle that is longer than two months. */
const listCycles = (index: number): [string, string][] => {
  const months = Array.from({ length: 8 }, (_, each) => each + 4).filter((month) => index % 4 < 3 || month > 8)
  const regular = months.map((month): [string, string] => [
    getCycleStart(month, getAnchor(index)),
    getCycleStart(month + 1, getAnchor(index)),
  ])
  const long: [string, string][] = index % 4 < 3 ? [] : [['2026-06-10', '2026-09-01']]
  return [...long, ...regular.filter(([start]) => start <= (index === STOPPED ? '2026-08-20' : '2026-12-03'))]
}
const getAnchor = (index: number) => ANCHORS[index % ANCHORS.length] as number
const add = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
const addDaysBetween = (line: number, from: string, until: string) =>
  add([...(used.get(line) ?? [])].filter(([day]) => day >= from && day < until).map(([, gb]) => gb))

beforeAll(async () => {
  server = await startTestServer()
  server.clock.now = NOW
  const fleet = await createFleet(server.database, 'a')
  const write = (days: readonly { line: number; day: string; gb: number }[]) =>
    fleet.inTenant(async (_, client) => {
      await client.query(
        `insert into daily_usage
         select 'a', line, day, gb * 0.75, gb * 0.25, 1, 1 from unnest($1::bigint[], $2::date[], $3::float8[]) as t (line, day, gb)
         on conflict (tenant_id, service_line_id, day) do update
           set priority_gb = excluded.priority_gb, standard_gb = excluded.standard_gb`,
        [days.map(({ line }) => line), days.map(({ day }) => day), days.map(({ gb }) => gb)],
      )
      for (const { line, day, gb } of days) used.set(line, (used.get(line) ?? new Map<string, number>()).set(day, gb))
    })
  for (let index = 0; index < LINES; index++) {
    const priceCents = index < LINES / 2 ? 100 : 200
    const line = await fleet.addLine({ number: `a-${index}`, group: getGroup(index), priceCents })
    lineIds.push(line)
    cycles.set(line, listCycles(index))
    for (const [start, end] of listCycles(index)) await fleet.setCycle(line, start, end)
  }
  // Days arrive in any order, some are omitted, and the vendor corrects others.
  const gb = fc.integer({ min: 0, max: 400_000 }).map((amount) => amount / 1000)
  const day = fc.record({ at: fc.nat(DAYS - 4), line: fc.nat(LINES - 1), gb })
  const batches = fc.sample(fc.uniqueArray(day, { selector: ({ at, line }) => `${at} ${line}`, maxLength: 150 }), {
    numRuns: 40,
    seed: 1959,
  })
  for (const batch of batches)
    await write(
      batch.map(({ at, line, gb: amount }) => ({ line: lineIds[line] as number, day: addDays(FIRST, at), gb: amount })),
    )
  await fleet.use(lineIds[0] as number, '2026-12-03', [1], NOW)
  used.get(lineIds[0] as number)?.set('2026-12-03', 1)
  await server.addUser('a', { email: 'admin@mail.example', role: 'admin' })
  admin = (await server.signIn('a', 'admin@mail.example')).access
})
afterAll(() => server.close())

const get = async <T>(path: string) => (await server.call('a', 'GET', `/api/${path}`, { token: admin })).body as T

test.each(['2026-12', '2026-11', '2026-10', '2026-07'])(
  'the months until %s are the sums of their days',
  async (month) => {
    const body = await get<ExecutiveMonths>(`executive-months/?month=${month}`)
    const total = (read: (plan: ExecutiveMonths['plans'][number]) => number | undefined) =>
      add(body.plans.map((plan) => read(plan) ?? 0))
    const next = (each: string) => addDays(`${each}-28`, 4).slice(0, 7)
    for (const [index, each] of body.months.entries()) {
      const days = [...used.values()].flatMap((days) => [...days.keys()].filter((day) => day.startsWith(each)))
      expect(total(({ data_GB }) => data_GB[index])).toBeCloseTo(
        add(lineIds.map((line) => addDaysBetween(line, `${each}-01`, `${next(each)}-01`))),
        6,
      )
      expect(body.firstDays[index]).toBe(days.sort()[0] ?? null)
    }
    const compare = (each: string) =>
      add(lineIds.map((line) => addDaysBetween(line, `${each}-01`, addDays(`${each}-01`, body.comparedDays))))
    expect(total(({ compared_GB }) => compared_GB)).toBeCloseTo(compare(month), 6)
    expect(total(({ before_GB }) => before_GB)).toBeCloseTo(compare(body.months.at(-2) as string), 6)
  },
)

test.each(['2026-12', '2026-09'])('each customer has its own part of the months until %s', async (month) => {
  const body = await get<ExecutiveMonths>(`executive-months/?month=${month}`)
  for (const group of [0, 1, 2].map(getGroup))
    for (const [index, each] of body.months.entries()) {
      const plans = body.plans.filter(({ customer_group }) => customer_group === group)
      const total = (read: (plan: ExecutiveMonths['plans'][number]) => number[]) =>
        add(plans.map((plan) => read(plan)[index] ?? 0))
      const own = lineIds.filter((_, line) => getGroup(line) === group)
      const next = addDays(`${each}-28`, 4).slice(0, 7)
      const served = own.filter(
        (line) =>
          each === body.running || cycles.get(line)?.some(([start, end]) => start < `${next}-01` && end > `${each}-01`),
      )
      expect(total(({ data_GB }) => data_GB)).toBeCloseTo(
        add(own.map((line) => addDaysBetween(line, `${each}-01`, `${next}-01`))),
        6,
      )
      expect(total(({ lines }) => lines)).toBe(served.length)
      const prices = served.map((line) => (lineIds.indexOf(line) < LINES / 2 ? 1 : 2))
      expect(total(({ price_usd }) => price_usd)).toBeCloseTo(add(prices), 6)
    }
})

test('what a line used in the cycle before by the same time is the sum of its days', async () => {
  const { plans } = await get<{ plans: Plan[] }>('executive-summary/')
  const shown = new Map(plans.flatMap(({ service_lines }) => service_lines.map((line) => [line.service_line, line])))
  for (const [index, line] of lineIds.entries()) {
    const [before, present] = (cycles.get(line) ?? []).slice(-2).map(([start]) => start) as [string, string]
    const passed = (Date.parse('2026-12-03') - Date.parse(present)) / 86_400_000
    const until = addDays(before, passed)
    const expected =
      until < present
        ? addDaysBetween(line, before, until) + PASSED_OF_TODAY * (used.get(line)?.get(until) ?? 0)
        : addDaysBetween(line, before, present)
    expect(shown.get(`a-${index}`)?.last_month_to_date).toBeCloseTo(expected, 6)
  }
})

test('days of a month that two transactions write at once are both counted', async () => {
  const open = async () => {
    const client = new pg.Client(server.runtime)
    await client.connect()
    await client.query("begin; set local app.tenant_id = 'a'; set local app.\"group\" = ''")
    return client
  }
  const insert = (client: pg.Client, day: string) =>
    client.query("insert into daily_usage values ('a', $1, $2, 1, 1, 0, 0)", [lineIds[0], day])
  const [first, second] = [await open(), await open()]
  await insert(first, '2027-01-01')
  const inserting = insert(second, '2027-01-02')
  const waiting = `select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like 'insert into daily%'`
  const countWaiting = async () => (await runOnce(server.superuser, waiting)).length
  await expect.poll(countWaiting).toBe(1)
  await first.query('commit')
  await inserting
  const { rows } = await second.query("select used_gb[31] as gb from monthly_usage where month = '2027-01-01'")
  expect(rows).toEqual([{ gb: 4 }])
  await second.query('commit')
  for (const client of [first, second]) await client.end()
})
