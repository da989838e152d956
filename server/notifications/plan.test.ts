import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Condition, FleetEvent } from './fleet-event.ts'
import { plan, type Rules } from './plan.ts'
import { emptyState, type Notice } from './plan-state.ts'

const MINUTE_MS = 60_000
// A Sunday noon in Alaska.
const START_MS = Date.UTC(2026, 10, 15, 21)

const rules = (change: Partial<Rules> = {}): Rules => ({
  statusChanges: true,
  dataUsage: true,
  warnings: true,
  lineIds: new Set(Array.from({ length: 600 }, (_, index) => index + 1)),
  settlingMs: 5 * MINUTE_MS,
  quiet: undefined,
  dailyLimit: undefined,
  findMaintenanceEnd: () => null,
  ...change,
})

const at = (minutes: number) => START_MS + minutes * MINUTE_MS

const turn = (minutes: number, after: Condition, terminalId = 1, notedMinutes = minutes): FleetEvent => ({
  kind: 'status',
  knownAtMs: at(notedMinutes),
  terminalId,
  lineId: terminalId,
  after,
  sinceMs: at(minutes),
})

const crossing = (minutes: number, percent: number, lineId = 1): FleetEvent => ({
  kind: 'usage',
  knownAtMs: at(minutes),
  subject: `line ${lineId}`,
  lineIds: [lineId],
  percent,
  usedGb: percent,
  limitGb: 100,
})

const warning = (minutes: number, terminalId = 1): FleetEvent => ({
  kind: 'warning',
  knownAtMs: at(minutes),
  terminalId,
  lineId: terminalId,
  incidentId: `warning ${terminalId}`,
})

const planNotices = (events: FleetEvent[], given = rules(), untilMinutes = 3 * 1440) =>
  plan(emptyState(), events, given, at(untilMinutes)).notices

const brief = ({ changes }: Notice) => changes.map(({ terminalId, after }) => `${terminalId} ${after}`)

test('reports an outage once it has lasted, and its end once that has lasted', () => {
  const notices = planNotices([turn(0, 'offline'), turn(60, 'online')])
  expect(notices.map((notice) => [brief(notice), (notice.atMs - START_MS) / MINUTE_MS])).toEqual([
    [['1 offline'], 7],
    [['1 online'], 67],
  ])
})

test('reports neither a brief outage nor its end', () => {
  expect(planNotices([turn(0, 'offline'), turn(4, 'online')])).toEqual([])
})

test('does not report a brief recovery', () => {
  expect(planNotices([turn(0, 'offline'), turn(60, 'online'), turn(63, 'offline')]).map(brief)).toEqual([['1 offline']])
})

test('reports no data, disabled and the recovery from them', () => {
  const events = [turn(0, 'offline'), turn(1440, 'no data'), turn(1500, 'disabled'), turn(1600, 'online')]
  expect(planNotices(events).map(brief)).toEqual([['1 offline'], ['1 no data'], ['1 disabled'], ['1 online']])
})

test('does not report the end of an outage that was not reported', () => {
  expect(planNotices([turn(0, 'online')])).toEqual([])
})

test('sends one message about 500 lines that change together', () => {
  const events = Array.from({ length: 500 }, (_, index) => turn(index / 500, 'offline', index + 1, 3 + index / 500))
  const notices = planNotices(events)
  expect(notices).toHaveLength(1)
  expect(notices[0]?.changes).toHaveLength(500)
})

test('marks changes as late when the feed was late', () => {
  const [notice] = planNotices([turn(0, 'offline', 1, 40)])
  expect(notice).toMatchObject({ atMs: at(42), changes: [{ isLate: true }] })
})

test('reports a flapping terminal only a few times', () => {
  const events = Array.from({ length: 24 }, (_, index) => turn(index * 8, index % 2 ? 'online' : 'offline'))
  const notices = planNotices(events)
  expect(notices.length).toBeLessThanOrEqual(6)
  expect(notices.some(({ changes }) => changes[0]?.isUnstable)).toBe(true)
})

const nightly = rules({
  quiet: { fromMinute: 22 * 60, untilMinute: 7 * 60, timeZone: 'America/Anchorage' },
  dailyLimit: 2,
})

test('holds texts in quiet hours until the morning, and drops what is over by then', () => {
  // 22:30 and 23:00 in Alaska.
  const events = [turn(630, 'offline', 1), turn(660, 'offline', 2), turn(720, 'online', 2)]
  const notices = planNotices(events, nightly)
  expect(notices.map((notice) => [brief(notice), new Date(notice.atMs).toISOString()])).toEqual([
    [['1 offline'], '2026-11-16T16:00:00.000Z'],
  ])
})

test('sends no more texts a day than the user allows, and the rest as one text the next morning', () => {
  const events = [1, 2, 3, 4].map((id) => turn(id * 30, 'offline', id))
  const notices = planNotices(events, nightly)
  expect(notices.map(brief)).toEqual([['1 offline'], ['2 offline'], ['3 offline', '4 offline']])
  expect(notices.map(({ isLastOfDay }) => isLastOfDay)).toEqual([false, true, false])
})

test('reports the highest usage mark, and only to users who want usage', () => {
  expect(
    planNotices([crossing(0, 80), crossing(1, 90), crossing(30, 100)]).map(({ usage }) => usage[0]?.percent),
  ).toEqual([90, 100])
  expect(planNotices([crossing(0, 80)], rules({ dataUsage: false }))).toEqual([])
  expect(planNotices([crossing(0, 80, 999)])).toEqual([])
})

const conditions = ['online', 'offline', 'no data', 'disabled'] as const
const anyEvent = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .record({
        minute: fc.nat(3000),
        delay: fc.nat(40),
        id: fc.integer({ min: 1, max: 6 }),
        after: fc.constantFrom(...conditions),
      })
      .map(({ minute, delay, id, after }) => turn(minute, after, id, minute + delay)),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.nat(3000), fc.constantFrom(80, 90, 100))
      .map(([minute, percent]) => crossing(minute, percent)),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.nat(3000), fc.integer({ min: 1, max: 6 })).map(([minute, id]) => warning(minute, id)),
  },
)

test('sends the same messages however often it runs', () => {
  fc.assert(
    fc.property(
      fc.array(anyEvent, { maxLength: 60 }),
      fc.array(fc.nat(3100), { maxLength: 40 }),
      fc.constantFrom(rules(), nightly),
      (unordered, runMinutes, given) => {
        const events = unordered.toSorted((one, other) => one.knownAtMs - other.knownAtMs)
        const whole = planNotices(events, given, 3200)
        let state = emptyState()
        let lastMs = 0
        const live: Notice[] = []
        for (const minute of [...runMinutes, 3200].sort((one, other) => one - other)) {
          const newEvents = events.filter(({ knownAtMs }) => knownAtMs > lastMs && knownAtMs <= at(minute))
          const step = plan(JSON.parse(JSON.stringify(state)), newEvents, given, at(minute))
          state = step.state
          lastMs = at(minute)
          live.push(...step.notices)
        }
        expect(live).toEqual(whole)
      },
    ),
    { numRuns: 300 },
  )
})

/** Under maintenance between two times, in minutes. */
const maintained = (from: number, to: number): Partial<Rules> => ({
  findMaintenanceEnd: (_, atMs) => (atMs >= at(from) && atMs < at(to) ? at(to) : null),
})

test('reports nothing that begins and ends in a maintenance window', () => {
  expect(planNotices([turn(10, 'offline'), turn(110, 'online')], rules(maintained(0, 120)))).toEqual([])
})

test('reports what outlasts its maintenance window when that ends', () => {
  const notices = planNotices([turn(10, 'offline'), turn(200, 'online')], rules(maintained(0, 120)))
  expect(notices.map((notice) => [brief(notice), (notice.atMs - START_MS) / MINUTE_MS])).toEqual([
    [['1 offline'], 122],
    [['1 online'], 207],
  ])
})

test('reports what began before a maintenance window, and its end in it', () => {
  expect(planNotices([turn(0, 'offline'), turn(30, 'online')], rules(maintained(2, 120))).map(brief)).toEqual([
    ['1 offline'],
    ['1 online'],
  ])
})

test('follows a maintenance window that is prolonged or ended while it runs', () => {
  const held = plan(emptyState(), [turn(10, 'offline')], rules(maintained(0, 120)), at(60))
  expect(held.notices).toEqual([])
  const sendWith = (to: number) => plan(held.state, [], rules(maintained(0, to)), at(600)).notices
  expect(sendWith(240).map(({ atMs }) => (atMs - START_MS) / MINUTE_MS)).toEqual([242])
  expect(sendWith(61).map(({ atMs }) => (atMs - START_MS) / MINUTE_MS)).toEqual([63])
})

const briefWarnings = ({ warnings, atMs }: Notice) => [
  warnings?.map(({ terminalId }) => terminalId),
  (atMs - START_MS) / MINUTE_MS,
]

test('early warnings of a morning are one message, to users who want them', () => {
  const events = [1, 2, 3].map((id) => warning(id / 10, id))
  expect(planNotices(events).map(briefWarnings)).toEqual([[[1, 2, 3], 2.1]])
  expect(planNotices(events, rules({ warnings: false }))).toEqual([])
  expect(planNotices(events, rules({ statusChanges: false, lineIds: new Set([2]) })).map(briefWarnings)).toEqual([
    [[2], 2.2],
  ])
})

test('an early warning waits until the maintenance of its terminal is over', () => {
  const notices = planNotices([warning(10), warning(130, 2)], rules(maintained(0, 120)))
  expect(notices.map(briefWarnings)).toEqual([
    [[1], 122],
    [[2], 132],
  ])
})
