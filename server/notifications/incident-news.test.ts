import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Condition, FleetEvent } from './fleet-event.ts'
import { plan, type Rules } from './plan.ts'
import { emptyState, type Notice } from './plan-state.ts'

const MINUTE_MS = 60_000
const SETTLING = 5
const NOTICED_AFTER = 3
const rules: Rules = {
  statusChanges: true,
  dataUsage: false,
  warnings: false,
  lineIds: new Set(Array.from({ length: 100 }, (_, index) => index + 1)),
  settlingMs: SETTLING * MINUTE_MS,
  quiet: undefined,
  dailyLimit: undefined,
  findMaintenanceEnd: () => null,
}
const START_MS = Date.UTC(2026, 10, 15)
const at = (minutes: number) => START_MS + minutes * MINUTE_MS

const turn = (terminalId: number, minutes: number, after: Condition): FleetEvent => ({
  kind: 'status',
  knownAtMs: at(minutes + NOTICED_AFTER),
  terminalId,
  lineId: terminalId,
  after,
  sinceMs: at(minutes),
})

const assign = (terminalId: number, lost: number, incidentId: string, known = lost + NOTICED_AFTER): FleetEvent => ({
  kind: 'incident',
  knownAtMs: at(known),
  terminalId,
  lineId: terminalId,
  lostAtMs: at(lost),
  incidentId,
})

/** An outage that is part of an incident. */
const lose = (terminalId: number, lost: number, back: number | null, incidentId = 'a'): FleetEvent[] => [
  turn(terminalId, lost, 'offline'),
  assign(terminalId, lost, incidentId),
  ...(back === null ? [] : [turn(terminalId, back, 'online')]),
]

const inOrder = (events: FleetEvent[]) => events.toSorted((one, other) => one.knownAtMs - other.knownAtMs)

const planNotices = (events: FleetEvent[], until = 10_000) =>
  plan(emptyState(), inOrder(events), rules, at(until)).notices

const summarize = ({ atMs, incidents, changes }: Notice) => [
  (atMs - START_MS) / MINUTE_MS,
  incidents.map(({ id, kind }) => `${id} ${kind}`).join(),
  changes.map(({ terminalId }) => terminalId),
]

const many = (count: number, make: (id: number) => FleetEvent[]) =>
  Array.from({ length: count }, (_, index) => make(index + 1)).flat()

test('40 terminals of one incident are one message when it opens and one when the last is back', () => {
  const notices = planNotices(many(40, (id) => lose(id, id / 40, 60 + id)))
  expect(notices.map(({ incidents }) => incidents)).toEqual([
    [{ id: 'a', kind: 'opening', terminals: 40 }],
    [{ id: 'a', kind: 'ending', terminals: 40 }],
  ])
  expect(notices.map(({ changes }) => changes.length)).toEqual([40, 40])
})

test('a terminal that no incident is known of when it has settled is reported all the same', () => {
  const events = [turn(1, 0, 'offline'), assign(1, 0, 'a', 30), turn(1, 60, 'online')]
  expect(planNotices(events).map(summarize)).toEqual([
    [7, '', [1]],
    [67, 'a ending', [1]],
  ])
})

test('losses that join are reported with the end only, unless the incident doubles', () => {
  const few = [...lose(1, 0, 90), ...lose(2, 0, 90), ...lose(3, 0, 90), ...lose(4, 20, 90), ...lose(5, 22, 80)]
  expect(planNotices(few).map(summarize)).toEqual([
    [7, 'a opening', [1, 2, 3]],
    [97, 'a ending', [1, 2, 3, 4, 5]],
  ])
  expect(planNotices([...few, ...lose(6, 24, 90)]).map(summarize)).toEqual([
    [7, 'a opening', [1, 2, 3]],
    [31, 'a growth', [4, 5, 6]],
    [97, 'a ending', [1, 2, 3, 4, 5, 6]],
  ])
})

test('terminals that are back do not wait longer than an hour for the others', () => {
  const events = [...lose(1, 0, 20), ...lose(2, 0, 30), ...lose(3, 0, 500)]
  expect(planNotices(events).map(summarize)).toEqual([
    [7, 'a opening', [1, 2, 3]],
    [87, 'a recovery', [1, 2]],
    [507, 'a ending', [3]],
  ])
})

test('a terminal that turns out to have a problem of its own no longer holds up the end', () => {
  const events = [...lose(1, 0, 20), ...lose(2, 0, 25), ...lose(3, 0, 500), assign(3, 0, 'b', 50)]
  expect(planNotices(events).map(summarize)).toEqual([
    [7, 'a opening', [1, 2, 3]],
    [52, 'a ending', [1, 2]],
    [507, 'b ending', [3]],
  ])
})

test('incidents that turn out to be one end together', () => {
  const events = [...lose(1, 0, 60, 'a'), ...lose(2, 30, 90, 'b'), assign(1, 0, 'b', 50)]
  expect(planNotices(events).map(summarize)).toEqual([
    [7, 'a opening', [1]],
    [37, 'b opening', [2]],
    [97, 'b ending', [1, 2]],
  ])
})

test('another sign of the same loss is no message, but being disabled is', () => {
  const silent = [...lose(1, 0, null), turn(1, 1440, 'no data'), turn(1, 1500, 'online')]
  expect(planNotices(silent).map(summarize)).toEqual([
    [7, 'a opening', [1]],
    [1507, 'a ending', [1]],
  ])
  const disabled = [...lose(1, 0, null), turn(1, 60, 'disabled')]
  expect(planNotices(disabled).map(summarize)).toEqual([
    [7, 'a opening', [1]],
    [67, 'a opening', [1]],
  ])
})

test('the end of an incident does not wait for a terminal that the user no longer selects', () => {
  const events = inOrder([...lose(1, 0, 20), ...lose(2, 0, null)])
  const { state } = plan(emptyState(), events, rules, at(40))
  const narrower = { ...rules, lineIds: new Set([1]) }
  const { state: next, notices } = plan(state, [], narrower, at(41))
  expect(notices).toEqual([])
  expect(plan(next, [], narrower, at(45)).notices.map(summarize)).toEqual([[43, 'a ending', [1]]])
})

test('the end of an incident does not wait for a terminal that is lost in a maintenance window', () => {
  const maintained = { ...rules, findMaintenanceEnd: (id: number) => (id === 2 ? at(400) : null) }
  const { notices } = plan(emptyState(), inOrder([...lose(1, 0, 20), ...lose(2, 1, null)]), maintained, at(300))
  expect(notices.map(summarize)).toEqual([
    [7, 'a opening', [1]],
    [27, 'a ending', [1]],
  ])
})

/** Plans in several runs, with the state stored in between. */
const planLive = (events: FleetEvent[], runs: number[], until: number) => {
  let state = emptyState()
  let last = -1
  const notices: Notice[] = []
  for (const minutes of [...runs.toSorted((one, other) => one - other), until]) {
    const fresh = inOrder(events).filter(({ knownAtMs }) => knownAtMs > at(last) && knownAtMs <= at(minutes))
    const step = plan(JSON.parse(JSON.stringify(state)), fresh, rules, at(minutes))
    state = step.state
    last = minutes
    notices.push(...step.notices)
  }
  return { notices, state }
}

const UNTIL = 10_000
const anyRuns = fc.array(fc.nat(UNTIL - 1), { maxLength: 12 })

test('an incident whose terminals are lost at once has one opening and one ending, however often it is planned', () => {
  const anyIncident = fc.record({
    terminals: fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 12 }),
    starts: fc.array(fc.double({ min: 0, max: 1.5, noNaN: true }), { minLength: 12, maxLength: 12 }),
    lengths: fc.array(fc.integer({ min: 12, max: 70 }), { minLength: 12, maxLength: 12 }),
  })
  fc.assert(
    fc.property(fc.array(anyIncident, { minLength: 1, maxLength: 8 }), anyRuns, (incidents, runs) => {
      const events = incidents.flatMap(({ terminals, starts, lengths }, place) =>
        terminals.flatMap((id) => {
          const start = place * 300 + (starts[id - 1] as number)
          return lose(id, start, start + (lengths[id - 1] as number), `incident ${place}`)
        }),
      )
      const { notices } = planLive(events, runs, UNTIL)
      const kinds = Map.groupBy(
        notices.flatMap((notice) => notice.incidents),
        ({ id }) => id,
      )
      for (const [place, { terminals }] of incidents.entries()) {
        const count = terminals.length
        expect(kinds.get(`incident ${place}`)).toEqual([
          { id: `incident ${place}`, kind: 'opening', terminals: count },
          { id: `incident ${place}`, kind: 'ending', terminals: count },
        ])
      }
    }),
    { numRuns: 200 },
  )
})

test('whatever incidents losses are part of and move to, each is covered by exactly one message each way', () => {
  const anyLoss = fc.record({
    gap: fc.integer({ min: 130, max: 200 }),
    length: fc.integer({ min: 1, max: 300 }),
    assignments: fc.array(fc.record({ after: fc.nat(200), incident: fc.constantFrom('a', 'b', 'c', 'd') }), {
      maxLength: 4,
    }),
  })
  const anyTerminal = fc.array(anyLoss, { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(fc.array(anyTerminal, { minLength: 1, maxLength: 8 }), anyRuns, (terminals, runs) => {
      const losses = terminals.flatMap((own, index) => {
        let minutes = 0
        return own.map(({ gap, length, assignments }) => {
          const lost = minutes + gap
          minutes = lost + length
          return { id: index + 1, lost, back: minutes, length, assignments }
        })
      })
      const events = losses.flatMap(({ id, lost, back, assignments }) => [
        turn(id, lost, 'offline'),
        turn(id, back, 'online'),
        ...assignments.map(({ after, incident }) => assign(id, lost, incident, lost + NOTICED_AFTER + after)),
      ])
      const { notices, state } = planLive(events, runs, UNTIL)
      const changes = notices.flatMap((notice) => notice.changes)
      for (const { id, lost, length } of losses) {
        const own = changes.filter(({ terminalId, lostAtMs }) => terminalId === id && lostAtMs === at(lost))
        const asLost = own.filter(({ after }) => after === 'offline').length
        const asBack = own.filter(({ after }) => after === 'online').length
        expect(asLost).toBeLessThanOrEqual(1)
        if (length + NOTICED_AFTER <= SETTLING) expect(own).toEqual([])
        if (length >= SETTLING + 2) expect(asBack).toBe(1)
      }
      // No terminal waits forever.
      const waiting = Object.values(state.terminals).filter(
        ({ notified, now, dueMs }) => notified !== now || dueMs !== null,
      )
      expect(waiting).toEqual([])
      expect(planNotices(events, UNTIL)).toEqual(notices)
    }),
    { numRuns: 300 },
  )
})
