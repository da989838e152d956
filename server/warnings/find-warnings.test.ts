import { expect, test } from 'vitest'
import type { WarningCause } from '#contract/incident-cause.ts'
import type { WarningFigures } from '#contract/warning-figures.ts'
import { explainWarning } from '#contract/warning-words.ts'
import { type DailyFigures, findWarnings } from './find-warnings.ts'

const limits = { addressRadiusKm: 50, borderKm: 20, roamingDays: 30 }
const DAY = Date.parse('2026-11-17') / 86_400_000

const days = (valueAt: (daysAgo: number) => number | null, count = 35) =>
  Array.from({ length: count }, (_, index) => valueAt(count - 1 - index))

/** Small and deterministic noise, so that no two days are alike. */
const unrest = (daysAgo: number) => ((daysAgo * 7) % 5) / 5 - 0.4

const healthy: DailyFigures = {
  day: DAY,
  obstruction: days((ago) => 0.004 + 0.0004 * unrest(ago)),
  signalQuality: days((ago) => 0.975 + 0.004 * unrest(ago)),
  weeklyObstruction: [],
  weeklySignalQuality: [],
  restarts: days((ago) => (ago % 11 === 0 ? 1 : 0)),
  usageGb: days((ago) => 12 + 3 * unrest(ago)),
  distanceKm: 6,
  border: null,
  abroad: null,
}

const find = (figures: Partial<DailyFigures>, known: [WarningCause, WarningFigures][] = []) =>
  findWarnings({ ...healthy, ...figures }, new Map(known), limits)

/** The only warning. */
const findOne = (figures: Partial<DailyFigures>) => {
  const found = find(figures)
  expect(found).toHaveLength(1)
  return found[0] as (typeof found)[number]
}

/** Rises from 0.4% over three weeks. */
const growing = (perDay: number, ago: number) => 0.004 + perDay * Math.max(0, 21 - ago) + 0.0004 * unrest(ago)

test('a healthy terminal is not warned of', () => {
  expect(find({})).toEqual([])
})

test('obstruction that grows is warned of with the day on which it will hurt', () => {
  const { cause, figures, confidence } = findOne({ obstruction: days((ago) => growing(0.0008, ago)) })
  expect(cause).toBe('growing obstruction')
  expect(confidence).toBeGreaterThanOrEqual(0.75)
  const words = explainWarning('growing obstruction', figures, false, 'metric')
  expect(words[0]).toMatch(/^Obstruction rose from \d\.\d% to 2\.\d% in [24] weeks\.$/)
  // It has 2.9% to go at 0.08% a day.
  expect(words[1]).toMatch(/^At this pace it will interrupt service around Dec (2[0-9]|1[89])\.$/)
})

test('a terminal that would fail in more than two months is not warned of', () => {
  expect(find({ obstruction: days((ago) => growing(0.0002, ago)) })).toEqual([])
})

test('storms, gaps and a bad week are no drift', () => {
  const storm = days((ago) => (ago % 9 < 2 ? 0.7 : 0.975 + 0.004 * unrest(ago)))
  expect(find({ signalQuality: storm })).toEqual([])
  expect(find({ signalQuality: days((ago) => (ago < 4 ? 0.9 : 0.975 + 0.004 * unrest(ago))) })).toEqual([])
  expect(find({ obstruction: days((ago) => (ago < 25 ? null : growing(0.0008, ago))) })).toEqual([])
})

test('what last year did in the same weeks is the season', () => {
  const obstruction = days((ago) => growing(0.0008, ago))
  const weekly = days((weeksAgo) => (weeksAgo <= 52 ? 0.021 : 0.004), 58)
  expect(find({ obstruction, weeklyObstruction: weekly })).toEqual([])
  expect(find({ obstruction, weeklyObstruction: days(() => 0.004, 58) })).toHaveLength(1)
})

test('a drift goes on until half of it is undone', () => {
  const { figures } = findOne({ obstruction: days((ago) => growing(0.0008, ago)) })
  const known: [WarningCause, WarningFigures][] = [['growing obstruction', figures]]
  const later = (value: number) => ({ obstruction: days((ago) => (ago < 5 ? value : growing(0.0008, ago))) })
  expect(find(later(0.021), known)).toHaveLength(1)
  expect(find(later(0.006), known)).toEqual([])
})

test('a signal that fades is warned of', () => {
  const { cause, figures } = findOne({
    signalQuality: days((ago) => 0.975 - 0.005 * Math.max(0, 20 - ago) + 0.004 * unrest(ago)),
  })
  expect(cause).toBe('fading signal')
  expect(explainWarning('fading signal', figures, false, 'metric')[0]).toMatch(
    /^Signal quality fell from 9\d\.\d% to 87\.\d% in/,
  )
})

test('a device that starts again and again is warned of, and one bad day is not', () => {
  expect(find({ restarts: days((ago) => (ago === 0 ? 9 : 0)) })).toEqual([])
  const { cause, figures } = findOne({ restarts: days((ago) => (ago < 3 ? 4 : 0)) })
  expect(cause).toBe('restarting')
  expect(explainWarning('restarting', figures, false, 'metric')).toEqual([
    'The dish or its router restarted 12 times in 3 days; 0 is usual.',
  ])
})

test('a fixed dish that was carried away is warned of, and goes back well inside its area', () => {
  const { cause, figures } = findOne({ distanceKm: 63.4 })
  expect(cause).toBe('away from address')
  expect(explainWarning(cause, figures, false, 'metric')[0]).toMatch(/^The dish is 63 km from its service address\./)
  expect(explainWarning(cause, figures, false, 'imperial')[0]).toMatch(/^The dish is 39 mi from its service address\./)
  expect(find({ distanceKm: 45 }, [['away from address', figures]])).toHaveLength(1)
  expect(find({ distanceKm: 39 }, [['away from address', figures]])).toEqual([])
})

test('a terminal that moves is warned of near a border until it is well away', () => {
  const near = (km: number) => ({
    border: { km, countries: ['Canada', 'United States of America'] as [string, string] },
  })
  expect(find(near(21))).toEqual([])
  const { cause, figures } = findOne(near(12.3))
  expect(cause).toBe('near border')
  expect(find(near(24), [['near border', figures]])).toHaveLength(1)
  expect(find(near(26), [['near border', figures]])).toEqual([])
})

test('a terminal that roams for long is warned of with both countries', () => {
  expect(find({ abroad: { countries: ['CA', 'US'], days: 29 } })).toEqual([])
  const { figures } = findOne({ abroad: { countries: ['CA', 'US'], days: 30 } })
  expect(explainWarning('abroad', figures, false, 'metric')[0]).toBe(
    'It has been abroad for 30 days (Canada instead of United States). Starlink can restrict roaming.',
  )
})

test('usage out of pattern is warned of, weekends of an office are not', () => {
  const office = days((ago) => (ago % 7 < 2 ? 2 : 20))
  expect(find({ usageGb: office.map((gb, index) => (index === 34 ? 20 : gb)) })).toEqual([])
  const { cause, figures } = findOne({ usageGb: days((ago) => (ago === 0 ? 84 : 12)) })
  expect(cause).toBe('unusual usage')
  expect(explainWarning('unusual usage', figures, false, 'metric')).toEqual(['It used 84 GB in a day; 12 GB is usual.'])
  expect(find({ usageGb: days((ago) => (ago < 2 ? 40 : 12)) })).toHaveLength(1)
  // A lodge that opens for the season has no pattern yet.
  expect(find({ usageGb: days((ago) => (ago < 5 ? 30 : null)) })).toEqual([])
  // Many times as much as usual, but little.
  expect(find({ usageGb: days((ago) => (ago === 0 ? 4 : 0.5)) })).toEqual([])
})
