import { greatCircleDistance, UNITS } from 'h3-js'
import { findBorder } from '#server/warnings/borders.ts'
import { advanceFigures, type StoredFigures } from '#server/warnings/figures.ts'
import type { DailyFigures } from '#server/warnings/find-warnings.ts'
import { getMedian } from '#server/warnings/trend.ts'
import { getDailyGb } from '#simulator/billing.ts'
import { createChanges } from '#simulator/changes.ts'
import type { Fleet, Terminal } from '#simulator/fleet.ts'
import { unit } from '#simulator/noise.ts'
import { getPresence } from '#simulator/presence.ts'
import { getPosition } from '#simulator/routes.ts'
import { type Decay, readSky } from '#simulator/sky.ts'

const DAY_MS = 86_400_000
const BUCKETS_OF_DAY = 12
const SAMPLES_OF_BUCKET = 2
const USAGE_DAYS = 35
const PURPOSE = 9_001

/** Events of a terminal in addition to the natural behavior of the simulated fleet, by days since 1970. */
export interface Fate {
  decay?: (day: number) => Decay | null
  restarts?: (day: number) => number
  usageFactor?: (day: number) => number
  movedKm?: (day: number) => number
  country?: (day: number) => string
  position?: (day: number) => [latitude: number, longitude: number]
}

const KM_OF_DEGREE = 111.2
const BORDER_KM = 25

const changes = createChanges()

/** The median of the two-hour means, as in the tiers, and how often the dish has restarted. */
const readDay = (fleet: Fleet, terminal: Terminal, day: number, decay: Decay | null) => {
  const obstruction: number[] = []
  const signalQuality: number[] = []
  const boots = new Set<number>()
  for (let bucket = 0; bucket < BUCKETS_OF_DAY; bucket++) {
    let signal = 0
    let blocked = 0
    let count = 0
    for (let nth = 0; nth < SAMPLES_OF_BUCKET; nth++) {
      const atMs = (day + (bucket + nth / SAMPLES_OF_BUCKET) / BUCKETS_OF_DAY) * DAY_MS
      const presence = getPresence(fleet, changes, terminal, atMs)
      if (!presence.reports) continue
      boots.add(presence.bootedMs)
      const slot = Math.floor(atMs / 15_000)
      const sky = readSky(fleet, terminal, atMs, unit(fleet.seed, terminal.index, slot, PURPOSE), decay)
      signal += sky.signalQuality
      blocked += sky.obstruction
      count++
    }
    if (count === 0) continue
    obstruction.push(blocked / count)
    signalQuality.push(signal / count)
  }
  return {
    day,
    obstruction: obstruction.length === 0 ? null : getMedian(obstruction),
    signalQuality: signalQuality.length === 0 ? null : getMedian(signalQuality),
    boots,
  }
}

const findDistanceKm = (fleet: Fleet, terminal: Terminal, day: number, movedKm: number) => {
  const { line } = terminal
  if (!line || line.plan.family === 'global') return null
  const [latitude, longitude] = getPosition(fleet.seed, terminal, day * DAY_MS)
  return greatCircleDistance([latitude + movedKm / KM_OF_DEGREE, longitude], [line.latitude, line.longitude], UNITS.km)
}

/** What the server would know about a terminal at the end of each day. */
export const simulateDays = function* (
  fleet: Fleet,
  terminal: Terminal,
  { fromDay, toDay }: { fromDay: number; toDay: number },
  fate: Fate = {},
): Generator<DailyFigures> {
  const { line } = terminal
  let known: StoredFigures | null = null
  let restartCount = 0
  let lastBootMs = 0
  const usageGb: (number | null)[] = []
  for (let day = fromDay; day < toDay; day++) {
    const { boots, ...row } = readDay(fleet, terminal, day, fate.decay?.(day) ?? null)
    const newBoots = [...boots].filter((bootMs) => bootMs > lastBootMs)
    lastBootMs = Math.max(lastBootMs, ...newBoots)
    restartCount += newBoots.length + (fate.restarts?.(day) ?? 0)
    const gb = line ? getDailyGb(fleet, line, day, (day + 1) * DAY_MS) : 0
    usageGb.push(gb === 0 ? null : gb * (fate.usageFactor?.(day) ?? 1))
    if (usageGb.length > USAGE_DAYS) usageGb.shift()
    const position = fate.position?.(day) ?? getPosition(fleet.seed, terminal, day * DAY_MS)
    const country = fate.country?.(day) ?? 'US'
    known = advanceFigures(known, [row], { restartCount, isAbroad: country !== 'US' }, day)
    yield {
      ...known,
      usageGb: [...usageGb],
      distanceKm: findDistanceKm(fleet, terminal, day, fate.movedKm?.(day) ?? 0),
      border: line?.plan.family === 'global' ? findBorder(position, BORDER_KM) : null,
      abroad: known.abroadSince === null ? null : { countries: [country, 'US'], days: day - known.abroadSince + 1 },
    }
  }
}
