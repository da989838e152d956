import type { WarningCause } from '#contract/incident-cause.ts'
import type { WarningFigures } from '#contract/warning-figures.ts'
import { type DailyFigures, findWarnings } from '#server/warnings/find-warnings.ts'
import { getMedian } from '#server/warnings/trend.ts'
import { buildFleet, type Fleet, type Terminal } from '#simulator/fleet.ts'
import { between, unit } from '#simulator/noise.ts'
import type { Decay } from '#simulator/sky.ts'
import { atLeast, atMost, exactly, type Figure } from '../figure.ts'
import type { Form } from '../proof.ts'
import { type Fate, simulateDays } from './daily-figures.ts'

const DAY_MS = 86_400_000
const HEALTHY_DAYS = 60
const MIN_LEAD_DAYS = 7
const MIN_RECALL = 0.95
const LIMITS = { addressRadiusKm: 50, borderKm: 20, roamingDays: 30 }
const PURPOSE = 9_002
const SIZES = {
  short: { dishes: 10, healthy: 40 },
  full: { dishes: 60, healthy: 500 },
}
const YEARS = 2
const MAX_FALSE = 0.5

interface Trouble {
  fate: Fate
  /** When service is lost without intervention; null if unknown. */
  hurtsOn: number | null
}

interface Scenario {
  name: string
  cause: WarningCause
  isMobile?: boolean
  /** The month of the year in which it begins, 0-based. */
  month?: number
  /** If the day of the interruption is unknown: how soon the warning must come. */
  withinDays?: number
  /** The events from a day on; `draw` is random but deterministic. */
  createTrouble: (beginDay: number, draw: (low: number, high: number) => number) => Trouble
}

const decayOver =
  (kind: Decay['kind'], least: number, most: number): Scenario['createTrouble'] =>
  (beginDay, draw) => {
    const days = Math.round(draw(least, most))
    const decay = (day: number) => (day < beginDay ? null : { kind, share: Math.min(1, (day - beginDay) / days) })
    return { fate: { decay }, hurtsOn: beginDay + days }
  }

const scenarios: Scenario[] = [
  { name: 'growing tree', cause: 'growing obstruction', createTrouble: decayOver('growing tree', 30, 150) },
  { name: 'snow load', cause: 'fading signal', month: 11, createTrouble: decayOver('snow load', 21, 45) },
  { name: 'leaning mast', cause: 'fading signal', createTrouble: decayOver('leaning mast', 25, 90) },
  {
    name: 'moved dish',
    cause: 'away from address',
    withinDays: 2,
    createTrouble: (beginDay, draw) => {
      const movedKm = draw(80, 400)
      return { fate: { movedKm: (day) => (day < beginDay ? 0 : movedKm) }, hurtsOn: null }
    },
  },
  {
    name: 'truck that nears a border',
    cause: 'near border',
    withinDays: 10,
    isMobile: true,
    // From Fairbanks to Beaver Creek on the Alaska Highway, 40 to 100 km a day.
    createTrouble: (beginDay, draw) => {
      const days = draw(4, 9)
      const share = (day: number) => Math.min(1, Math.max(0, day - beginDay) / days)
      return {
        fate: { position: (day) => [between(64.8, 62.4, share(day)), between(-147.7, -141, share(day))] },
        hurtsOn: null,
      }
    },
  },
  {
    name: 'terminal abroad',
    cause: 'abroad',
    withinDays: LIMITS.roamingDays + 1,
    isMobile: true,
    createTrouble: (beginDay) => ({ fate: { country: (day) => (day < beginDay ? 'US' : 'CA') }, hurtsOn: null }),
  },
  {
    name: 'restart loop',
    cause: 'restarting',
    withinDays: 4,
    createTrouble: (beginDay, draw) => {
      const restarts = Math.round(draw(3, 30))
      return { fate: { restarts: (day) => (day < beginDay ? 0 : restarts) }, hurtsOn: null }
    },
  },
  {
    name: 'usage burst',
    cause: 'unusual usage',
    withinDays: 4,
    createTrouble: (beginDay, draw) => {
      const factor = draw(5, 12)
      return { fate: { usageFactor: (day) => (day < beginDay || day > beginDay + 3 ? 1 : factor) }, hurtsOn: null }
    },
  },
]

/** Evaluates day after day like the server. Calls `onOpen` for each new warning. */
const watch = (days: Iterable<DailyFigures>, onOpen: (cause: WarningCause, day: number) => void) => {
  let open = new Map<WarningCause, WarningFigures>()
  for (const figures of days) {
    const found = findWarnings(figures, open, LIMITS)
    for (const { cause } of found) if (!open.has(cause)) onOpen(cause, figures.day)
    open = new Map(found.map((warning) => [warning.cause, warning.figures]))
  }
}

const isWanted = ({ role, line, kind }: Terminal, isMobile = false) =>
  role === 'ordinary' && line !== null && (kind === 'vessel' || kind === 'truck') === isMobile

/** A dish with a good view of the sky and some usage, so that there is something to lose. */
const isGood = ({ obstruction, intensity }: Terminal) => obstruction < 0.03 && intensity > 0.5

/** Days from its beginning to the warning, and from the warning to the interruption; null without a warning. */
const playOne = ({ cause, month, createTrouble }: Scenario, fleet: Fleet, terminal: Terminal) => {
  const share = (what: number) => unit(fleet.seed, terminal.index, what, PURPOSE)
  const beginMonth = month ?? Math.floor(share(0) * 12)
  const beginDay = Math.floor(Date.UTC(2026, beginMonth, 1 + Math.floor(share(1) * 28)) / DAY_MS)
  const { fate, hurtsOn } = createTrouble(beginDay, (low, high) => between(low, high, share(2)))
  const span = { fromDay: beginDay - HEALTHY_DAYS, toDay: hurtsOn ?? beginDay + HEALTHY_DAYS }
  let warnedOn: number | null = null
  watch(simulateDays(fleet, terminal, span, fate), (opened, day) => {
    // A day is evaluated on the next morning.
    if (opened === cause && day >= beginDay) warnedOn ??= day + 1
  })
  return warnedOn === null ? null : { afterDays: warnedOn - beginDay, leadDays: (hurtsOn ?? warnedOn) - warnedOn }
}

const measureScenario = (scenario: Scenario, fleet: Fleet, dishes: number): Figure[] => {
  const { name, isMobile, withinDays } = scenario
  const terminals = fleet.terminals.filter((each) => isWanted(each, isMobile) && isGood(each)).slice(0, dishes)
  const played = terminals.flatMap((terminal) => playOne(scenario, fleet, terminal) ?? [])
  const days = played.map(({ afterDays, leadDays }) => (withinDays === undefined ? leadDays : afterDays))
  const inTime = days.filter((each) => (withinDays === undefined ? each >= MIN_LEAD_DAYS : each <= withinDays))
  const figure =
    withinDays === undefined
      ? atLeast(
          `${name}: days from the warning to the harm, the fewest of ${days.length}`,
          Math.min(...days),
          MIN_LEAD_DAYS,
        )
      : atMost(
          `${name}: days from its beginning to the warning, the most of ${days.length}`,
          Math.max(...days),
          withinDays,
        )
  return [
    { ...figure, value: days.length === 0 ? 'none' : `${figure.value} (median ${getMedian(days)})` },
    atLeast(
      `${name}: share of ${terminals.length} that was warned of in time`,
      inTime.length / terminals.length,
      MIN_RECALL,
    ),
  ]
}

/** Years of healthy terminals, including vessels and trucks. */
const measureHealthy = (fleet: Fleet, count: number): Figure[] => {
  const terminals = fleet.terminals.filter((each) => isWanted(each) || isWanted(each, true)).slice(0, count)
  const fromDay = Math.floor(Date.UTC(2026, 6, 1) / DAY_MS)
  const counts = new Map<string, number>()
  let misplacedVessels = 0
  for (const terminal of terminals)
    watch(simulateDays(fleet, terminal, { fromDay, toDay: fromDay + YEARS * 365 }), (cause) => {
      counts.set(cause, (counts.get(cause) ?? 0) + 1)
      if (isWanted(terminal, true) && cause === 'away from address') misplacedVessels++
    })
  const total = [...counts.values()].reduce((sum, each) => sum + each, 0)
  const figure = atMost(
    `false warnings per terminal and year, in ${terminals.length * YEARS} years with winters and rain`,
    total / (terminals.length * YEARS),
    MAX_FALSE,
  )
  const causes = [...counts].map(([cause, times]) => `${times} ${cause}`).join(', ')
  return [
    {
      ...figure,
      value: `${Number((total / (terminals.length * YEARS)).toPrecision(2))}${causes ? ` (${causes})` : ''}`,
    },
    exactly('vessels and trucks said to be away from their address', misplacedVessels, 0),
  ]
}

/** How early warnings precede the interruption, and how many are false. */
export const measureWarnings = (form: Form): Figure[] => {
  const { dishes, healthy } = SIZES[form]
  const fleet = buildFleet(77, [1_000])
  return [
    ...scenarios.flatMap((scenario) => measureScenario(scenario, fleet, dishes)),
    ...measureHealthy(fleet, healthy),
  ]
}
