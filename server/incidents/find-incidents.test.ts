import { gridDisk, latLngToCell } from 'h3-js'
import { expect, test } from 'vitest'
import type { FoundIncident } from './build-incident.ts'
import { findIncidents, findNextMoment } from './find-incidents.ts'
import { toArea } from './group-by-area.ts'
import type { Loss } from './loss.ts'
import { BETHEL, createLoss, JUNEAU, MINUTE, T } from './testing/losses.ts'

const NOME = latLngToCell(64.5, -165.4, 5)
const KODIAK = latLngToCell(57.79, -152.4, 5)

const clear = { alerts: [], signalQuality: 0.98, obstruction: 0, softwareVersion: 'a' }

const lose = (terminalId: number, changes: Partial<Loss> = {}) => createLoss(terminalId, { before: clear, ...changes })

const returned = (atMs: number, changes: Partial<NonNullable<Loss['after']>> = {}) => ({
  backAtMs: atMs,
  after: { ...clear, bootedAtMs: T - 86_400_000, ...changes },
})

const many = (count: number, make: (index: number) => Loss) =>
  Array.from({ length: count }, (_, index) => make(index + 1))

/** Terminals 1 to `count` near Bethel, and those of the losses at their positions. */
const settle = (losses: readonly Loss[], others: Record<string, number> = {}) => {
  const terminals = new Map<string, number[]>()
  const add = (cell: string, id: number) => {
    const here = terminals.get(toArea(cell)) ?? []
    terminals.set(toArea(cell), here.includes(id) ? here : [...here, id])
  }
  for (const { cell, terminalId } of losses) if (cell) add(cell, terminalId)
  let next = 1000
  for (const [cell, count] of Object.entries(others)) for (let index = 0; index < count; index++) add(cell, next++)
  return terminals
}

const judge = (losses: Loss[], others: Record<string, number> = {}, atMs = T + 4 * MINUTE) =>
  findIncidents({ losses, terminals: settle(losses, others), atMs })

const summarize = (found: FoundIncident[]) =>
  found.map(({ cause, reach, losses }) => [cause, reach, losses.length] as const)

test('most terminals of an area, lost within a minute, are one network incident', () => {
  const cells = gridDisk(BETHEL, 3)
  const losses = many(17, (index) => lose(index, { cell: cells[index] ?? BETHEL, lostAtMs: T + (index % 4) * 15_000 }))
  const [incident, ...rest] = judge(losses, { [BETHEL]: 2 })
  expect(rest).toEqual([])
  expect(incident).toMatchObject({ cause: 'network', reach: 'area', startedAtMs: T, endedAtMs: null })
  expect(incident?.evidence.observed).toBe(19)
  expect(incident?.confidence).toBeGreaterThan(0.9)
  expect(incident?.radiusKm).toBeLessThan(200)
})

test('one dish of many that had lost its power does not make an outage one of power', () => {
  const after = (alerts: string[]) => returned(T + 3 * MINUTE, { alerts, bootedAtMs: T + 2 * MINUTE })
  const judgeBack = (lost: number) =>
    judge(many(4, (index) => lose(index, after(index <= lost ? ['power_disconnect_detected'] : []))))
  expect(summarize(judgeBack(1))).toEqual([['network', 'area', 4]])
  expect(summarize(judgeBack(2))).toEqual([['power', 'area', 4]])
})

test('terminals on both sides of the border between two areas are one incident', () => {
  const areas = gridDisk(toArea(BETHEL), 1)
  const losses = many(4, (index) => lose(index, { cell: areas[index % 2] ?? null }))
  expect(summarize(judge(losses))).toEqual([['network', 'area', 4]])
})

test('a few terminals of many that are lost by chance at the same time are incidents of their own', () => {
  const losses = many(4, (index) => lose(index))
  expect(summarize(judge(losses, { [BETHEL]: 20 }))).toEqual(many(4, () => lose(0)).map(() => ['power', 'terminal', 1]))
})

test('most of the fleet at once is one incident, and an area somewhere else later another', () => {
  const places = [BETHEL, NOME, JUNEAU]
  const fleet = many(30, (index) => lose(index, { cell: places[index % 3] ?? null, ...returned(T + 60 * MINUTE) }))
  const later = many(4, (index) => lose(100 + index, { cell: KODIAK, lostAtMs: T + 120 * MINUTE }))
  expect(summarize(judge([...fleet, ...later], {}, T + 125 * MINUTE))).toEqual([
    ['network', 'fleet', 30],
    ['network', 'area', 4],
  ])
})

test('an outage of the network in towns that are far apart is one incident, and what happens there by chance is not', () => {
  const UNALAKLEET = latLngToCell(63.87, -160.79, 5)
  const KOTZEBUE = latLngToCell(66.9, -162.6, 5)
  const towns = [NOME, UNALAKLEET, KOTZEBUE]
  const lost = (index: number, changes: Partial<Loss> = {}) =>
    lose(index, {
      cell: towns[index % 3] ?? null,
      lostPingsFirst: true,
      lostAtMs: T + (index % 2) * 15_000,
      ...changes,
    })
  const six = many(6, (index) => lost(index))
  const [incident, ...rest] = judge(six, { [KOTZEBUE]: 1, [JUNEAU]: 30 })
  expect(rest).toEqual([])
  expect(incident).toMatchObject({ cause: 'network', reach: 'area', evidence: { observed: 7 } })
  expect(incident?.radiusKm).toBeGreaterThan(100)
  expect(incident?.radiusKm).toBeLessThan(500)
  const singly = (losses: Loss[], others: Record<string, number> = {}) =>
    summarize(judge(losses, others)).every(([, reach]) => reach === 'terminal')
  // Most terminals of the region still work.
  expect(singly(six, { [KOTZEBUE]: 7 })).toBe(true)
  // Nothing shows that it was the network.
  expect(singly(six.map((loss) => ({ ...loss, lostPingsFirst: false })))).toBe(true)
  expect(singly(many(6, (index) => lost(index, { lostAtMs: T + index * 2 * MINUTE })))).toBe(true)
  expect(singly([lost(1), lost(2)])).toBe(true)
  const farApart = [NOME, latLngToCell(21.3, -157.86, 5), latLngToCell(25.76, -80.19, 5)]
  expect(singly(six.map((loss, index) => ({ ...loss, cell: farApart[index % 3] ?? null })))).toBe(true)
})

test('an outage of an area includes what the network lost around it, until that stays lost for longer', () => {
  const bethel = many(5, (index) => lose(index, { lostPingsFirst: true, ...returned(T + 30 * MINUTE) }))
  const dillingham = lose(6, { cell: latLngToCell(59.04, -158.46, 5), lostPingsFirst: true })
  expect(summarize(judge([...bethel, dillingham], {}, T + 59 * MINUTE))).toEqual([['network', 'area', 6]])
  expect(summarize(judge([...bethel, dillingham], {}, T + 61 * MINUTE))).toEqual([
    ['network', 'area', 5],
    ['network', 'terminal', 1],
  ])
  expect(summarize(judge([...bethel, { ...dillingham, lostPingsFirst: false }], {}, T + 59 * MINUTE))).toEqual([
    ['network', 'area', 5],
    ['unknown', 'terminal', 1],
  ])
})

test('an outage of the fleet includes places with one terminal', () => {
  const places = [BETHEL, NOME, JUNEAU]
  const fleet = many(30, (index) => lose(index, { cell: places[index % 3] ?? null, lostPingsFirst: true }))
  expect(summarize(judge([...fleet, lose(31, { cell: KODIAK, lostPingsFirst: true })]))).toEqual([
    ['network', 'fleet', 31],
  ])
})

test('an area whose terminals come back with a power alert had no power', () => {
  const losses = many(5, (index) =>
    lose(index, returned(T + 50 * MINUTE, { alerts: ['power_disconnect_detected'], bootedAtMs: T + 50 * MINUTE })),
  )
  expect(summarize(judge(losses, { [BETHEL]: 1 }, T + 60 * MINUTE))).toEqual([['power', 'area', 5]])
})

test('what stays lost long after its neighbors came back becomes an incident of its own', () => {
  const back = many(9, (index) => lose(index, returned(T + 30 * MINUTE)))
  const losses = [...back, lose(10)]
  expect(summarize(judge(losses, {}, T + 59 * MINUTE))).toEqual([['network', 'area', 10]])
  expect(summarize(judge(losses, {}, T + 61 * MINUTE))).toEqual([
    ['network', 'area', 9],
    ['power', 'terminal', 1],
  ])
  const found = judge(losses, {}, T + 59 * MINUTE)
  expect(findNextMoment(found, T + 59 * MINUTE)).toBe(T + 60 * MINUTE + 1)
  // Not again at that moment, or it would be judged without end.
  expect(findNextMoment(found, T + 60 * MINUTE + 1)).not.toBe(T + 60 * MINUTE + 1)
})

test.each<[string, Partial<Loss>, FoundIncident['cause']]>([
  ['power alert', returned(T + 9 * MINUTE, { alerts: ['power_disconnect_detected'] }), 'power'],
  ['long restart without an alert', returned(T + 90 * MINUTE, { bootedAtMs: T + 89 * MINUTE }), 'power'],
  ['short restart', returned(T + 4 * MINUTE, { bootedAtMs: T + 3 * MINUTE }), 'restart'],
  ['back without a restart', returned(T + 9 * MINUTE), 'unknown'],
  ['obstruction', { before: { ...clear, obstruction: 0.2 } }, 'obstruction'],
  ['a tree in view', { before: { ...clear, obstruction: 0.08, alerts: ['high_time_obstruction'] } }, 'power'],
  ['a tree in view on a bad day', { before: { ...clear, obstruction: 0.17 } }, 'power'],
  ['signal under snow', { before: { ...clear, signalQuality: 0.5 } }, 'obstruction'],
  ['heat', { before: { ...clear, alerts: ['thermal_shutdown'] } }, 'equipment'],
  ['all pings lost first', { lostPingsFirst: true }, 'network'],
  ['quota', { isDisabled: true, before: { ...clear, alerts: ['disabled_data_usage_exceeded_quota'] } }, 'quota'],
  ['account', { isDisabled: true, before: { ...clear, alerts: ['disabled_account_disabled'] } }, 'disabled'],
  ['requested reboot', { rebootRequestedAtMs: T - 2 * MINUTE }, 'planned'],
  ['reboot requested long before', { rebootRequestedAtMs: T - 20 * MINUTE }, 'power'],
  ['update that waits', { before: { ...clear, alerts: ['software_update_reboot_pending'] } }, 'planned'],
  ['new software', returned(T + 5 * MINUTE, { softwareVersion: 'b', bootedAtMs: T + 4 * MINUTE }), 'planned'],
  ['nothing known', { before: null }, 'power'],
])('a single loss with %s', (_, changes, cause) => {
  expect(summarize(judge([lose(1, changes)], { [BETHEL]: 5 }))).toEqual([[cause, 'terminal', 1]])
})

test('a terminal that is lost again after a short restart has another problem until it is back', () => {
  const restarted = lose(1, returned(T + 4 * MINUTE, { bootedAtMs: T + 3 * MINUTE }))
  const again = { lostAtMs: T + 10 * MINUTE }
  const judgeBoth = (second: Loss) => summarize(judge([restarted, second], { [BETHEL]: 5 }, T + 20 * MINUTE))
  expect(judgeBoth(lose(1, again))).toEqual([['power', 'terminal', 2]])
  expect(judgeBoth(lose(1, { ...again, ...returned(T + 14 * MINUTE) }))).toEqual([['restart', 'terminal', 2]])
})

test('a dish that lost all pings and is back without a restart was without a network for sure', () => {
  const [open] = judge([lose(1, { lostPingsFirst: true })], { [BETHEL]: 5 })
  const [over] = judge([lose(1, { lostPingsFirst: true, ...returned(T + 55 * MINUTE) })], { [BETHEL]: 5 })
  expect([open?.cause, over?.cause]).toEqual(['network', 'network'])
  expect(over?.confidence).toBeGreaterThan(open?.confidence as number)
})

test('a loss without neighbors and without traces stays unknown', () => {
  expect(summarize(judge([lose(1)]))).toEqual([['unknown', 'terminal', 1]])
})

test('an update that takes longer than updates do was none', () => {
  const losses = [lose(1, { before: { ...clear, alerts: ['software_update_reboot_pending'] } })]
  const found = judge(losses, { [BETHEL]: 3 })
  const nextMs = findNextMoment(found, T) as number
  expect(nextMs).toBe(T + 20 * MINUTE + 1)
  expect(summarize(judge(losses, { [BETHEL]: 3 }, nextMs))).toEqual([['power', 'terminal', 1]])
})

test('the updates of a night are one incident, and requested reboots are incidents of their own', () => {
  const updates = many(6, (index) =>
    lose(index, {
      lostAtMs: T + index * 20 * MINUTE,
      ...returned(T + index * 20 * MINUTE + 4 * MINUTE, { softwareVersion: 'b' }),
    }),
  )
  const reboot = lose(50, { lostAtMs: T + 61 * MINUTE, rebootRequestedAtMs: T + 60 * MINUTE })
  const found = judge([...updates, reboot], {}, T + 65 * MINUTE)
  expect(summarize(found)).toEqual([
    ['planned', 'several', 6],
    ['planned', 'terminal', 1],
  ])
  expect(found.map(({ evidence }) => evidence.restart)).toEqual(['update', 'reboot'])
})

test('a terminal that is lost again and again is one incident that lasts until it stays', () => {
  const flaps = many(6, (index) =>
    lose(1, { lostAtMs: T + index * 10 * MINUTE, ...returned(T + index * 10 * MINUTE + 5 * MINUTE) }),
  )
  const later = lose(1, { lostAtMs: T + 240 * MINUTE })
  expect(summarize(judge([...flaps, later], { [BETHEL]: 3 }, T + 245 * MINUTE))).toEqual([
    ['unknown', 'terminal', 6],
    ['power', 'terminal', 1],
  ])
})

test('snow that covers dishes of an area one after the other is one incident', () => {
  const losses = many(4, (index) =>
    lose(index, { lostAtMs: T + index * 20 * MINUTE, before: { ...clear, signalQuality: 0.45 } }),
  )
  expect(summarize(judge(losses, { [BETHEL]: 12 }, T + 100 * MINUTE))).toEqual([['obstruction', 'area', 4]])
})

test('terminals that are disabled at once are one incident', () => {
  const losses = many(3, (index) =>
    lose(index, { isDisabled: true, before: { ...clear, alerts: ['disabled_account_disabled'] }, lostAtMs: T + index }),
  )
  expect(summarize(judge(losses, { [BETHEL]: 3 }))).toEqual([['disabled', 'several', 3]])
})

test('terminals that were lost long before do not count as neighbors', () => {
  const dead = many(20, (index) => lose(100 + index, { lostAtMs: T - 5_000 * MINUTE - index * 60 * MINUTE }))
  const losses = many(3, (index) => lose(index))
  const found = judge([...dead, ...losses]).filter(({ startedAtMs }) => startedAtMs === T)
  expect(summarize(found)).toEqual([['network', 'area', 3]])
  expect(found[0]?.evidence.observed).toBe(3)
})

test('every loss is in exactly one incident, in whatever order they are given', () => {
  let seed = 7
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed / 2 ** 31
  }
  const cells = [...gridDisk(BETHEL, 12), ...gridDisk(NOME, 12)]
  const losses = many(400, (index) => {
    const lostAtMs = T + Math.floor(random() * 300) * MINUTE
    const isBack = random() < 0.6
    return lose(index, {
      lostAtMs,
      lostPingsFirst: random() < 0.5,
      cell: random() < 0.05 ? null : (cells[Math.floor(random() * cells.length)] ?? null),
      isDisabled: random() < 0.05,
      before: random() < 0.1 ? null : { ...clear, signalQuality: random() },
      ...(isBack && returned(lostAtMs + (4 + random() * 200) * MINUTE, { bootedAtMs: random() < 0.5 ? lostAtMs : 0 })),
    })
  })
  const atMs = T + 600 * MINUTE
  const found = judge(losses, { [BETHEL]: 30, [NOME]: 5 }, atMs)
  expect(
    found.flatMap((incident) => incident.losses.map(({ terminalId }) => terminalId)).sort((a, b) => a - b),
  ).toEqual(losses.map(({ terminalId }) => terminalId))
  const again = judge(losses.toReversed(), { [BETHEL]: 30, [NOME]: 5 }, atMs)
  const members = (all: FoundIncident[]) =>
    all.map(({ cause, losses: inside }) => `${cause} ${inside.map(({ terminalId }) => terminalId).join()}`).sort()
  expect(members(again)).toEqual(members(found))
})

test('a large fleet is judged in a moment', () => {
  const cells = [BETHEL, NOME, JUNEAU, KODIAK]
  const losses = many(1_500, (index) =>
    lose(index, { cell: cells[index % 4] ?? null, lostAtMs: T - index * 10 * MINUTE }),
  )
  const terminals = new Map(
    cells.map((cell, place) => [toArea(cell), Array.from({ length: 25_000 }, (_, index) => 1 + place + 4 * index)]),
  )
  const checks = { count: 0 }
  const counted = new Map(
    [...terminals].map(([area, ids]) => [
      area,
      {
        *[Symbol.iterator]() {
          for (const id of ids) {
            checks.count++
            yield id
          }
        },
      } as unknown as number[],
    ]),
  )
  const found = findIncidents({ losses, terminals: counted, atMs: T })
  expect(found).toHaveLength(1_500)
  expect(found.every(({ cause }) => cause === 'power')).toBe(true)
  // Not every terminal at the location for every loss.
  expect(checks.count).toBeLessThan(losses.length * 3_000)
})

test('what is lost in a maintenance window is planned, however late in it, until it outlasts the window', () => {
  const window = { name: 'New mast', endMs: T + 120 * MINUTE }
  const losses = many(4, (index) => lose(index, { lostAtMs: T + index * 25 * MINUTE, window }))
  const during = judge(losses, { [BETHEL]: 20 }, T + 110 * MINUTE)
  expect(summarize(during)).toEqual([['planned', 'several', 4]])
  expect(during[0]).toMatchObject({ confidence: 1, evidence: { window: 'New mast' } })
  expect(findNextMoment(during, T + 110 * MINUTE)).toBe(window.endMs + 1)
  const after = losses.map((loss, index) => (index === 3 ? loss : { ...loss, ...returned(T + 118 * MINUTE) }))
  const found = judge(after, { [BETHEL]: 20 }, window.endMs + 1)
  expect(summarize(found)).toEqual([
    ['planned', 'several', 3],
    ['power', 'terminal', 1],
  ])
  expect(found[1]?.evidence.window).toBe('New mast')
})
