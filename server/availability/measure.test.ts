import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeSpans, type Span } from '../maintenance/occurrences.ts'
import { addMeasured, createCircumstances, listKinds, measure, type TerminalHistory, toFigures } from './measure.ts'

const PERIOD = { fromMs: 100_000, toMs: 300_000 }
const PERIOD_MS = PERIOD.toMs - PERIOD.fromMs

const spans = (most: number) =>
  fc
    .array(fc.tuple(fc.integer({ min: 50, max: 350 }), fc.integer({ min: 1, max: 60 })), { maxLength: most })
    .map((pairs) => mergeSpans(pairs.map(([from, length]) => ({ fromMs: from * 1000, toMs: (from + length) * 1000 }))))

const life = fc.option(
  fc.tuple(fc.integer({ min: 100, max: 299 }), fc.integer({ min: 1, max: 200 })).map(([from, length]) => ({
    fromMs: from * 1000,
    toMs: Math.min(300, from + length) * 1000,
  })),
)

interface Raw {
  life: Span | null
  observed: Span[]
  planned: Span[]
  outages: Span[]
}

const contains = (each: Span | null, atMs: number) => each !== null && each.fromMs <= atMs && atMs < each.toMs

const findKind = ({ life, observed, planned, outages }: Raw, atMs: number) => {
  if (!contains(life, atMs)) return 'not observed'
  if (planned.some((span) => contains(span, atMs))) return 'planned'
  if (!observed.some((span) => contains(span, atMs))) return 'not observed'
  return outages.some((span) => contains(span, atMs)) ? 'down' : 'up'
}

const toHistory = ({ life, observed, planned, outages }: Raw): TerminalHistory => ({
  life,
  outages,
  circumstances: createCircumstances(observed, planned),
})

const raw = fc.record({ life, observed: spans(8), planned: spans(4), outages: spans(6) })
const seconds = Array.from({ length: PERIOD_MS / 1000 }, (_, index) => PERIOD.fromMs + index * 1000)

test('the figures equal a count of every second', () => {
  fc.assert(
    fc.property(raw, (given) => {
      const kinds = seconds.map((atMs) => findKind(given, atMs))
      const count = (kind: string) => kinds.filter((each) => each === kind).length
      const lengths = given.outages
        .map((span) => seconds.filter((atMs, index) => contains(span, atMs) && kinds[index] === 'down').length)
        .filter((length) => length > 0)
      const figures = toFigures(measure(toHistory(given), PERIOD_MS))
      const [up, down] = [count('up'), count('down')]
      expect(figures).toEqual({
        upS: up,
        downS: down,
        plannedS: count('planned'),
        notObservedS: count('not observed'),
        percent: up + down === 0 ? null : expect.closeTo((100 * up) / (up + down), 9),
        outages: lengths.length,
        longestS: Math.max(0, ...lengths),
        meanRepairS: lengths.length === 0 ? null : Math.round(down / lengths.length),
        meanBetweenS: lengths.length === 0 ? null : Math.round(up / lengths.length),
      })
    }),
    { numRuns: 2_000 },
  )
})

test('the listed times are the period, each second of the kind that the figures count', () => {
  fc.assert(
    fc.property(raw, (given) => {
      const listed = listKinds(toHistory(given), PERIOD)
      expect(listed.map(({ fromMs }) => fromMs)).toEqual([
        PERIOD.fromMs,
        ...listed.slice(0, -1).map(({ toMs }) => toMs),
      ])
      expect(listed.at(-1)?.toMs).toBe(PERIOD.toMs)
      for (const { fromMs, toMs, kind } of listed)
        for (let atMs = fromMs; atMs < toMs; atMs += 1000) expect(findKind(given, atMs)).toBe(kind)
    }),
    { numRuns: 1_000 },
  )
})

test('of several terminals the longest outage is that of one, and all other figures are sums', () => {
  const one = { periodMs: 10, upMs: 5, downMs: 4, plannedMs: 1, outages: 2, longestMs: 3 }
  const other = { periodMs: 10, upMs: 8, downMs: 2, plannedMs: 0, outages: 1, longestMs: 2 }
  expect(addMeasured([one, other])).toEqual({
    periodMs: 20,
    upMs: 13,
    downMs: 6,
    plannedMs: 1,
    outages: 3,
    longestMs: 3,
  })
})

test('what was not observed or planned changes no percentage', () => {
  const outage = [{ fromMs: 120_000, toMs: 140_000 }]
  const all = { life: PERIOD, observed: [PERIOD], planned: [], outages: outage }
  const percent = (changes: Partial<Raw>) => toFigures(measure(toHistory({ ...all, ...changes }), PERIOD_MS)).percent
  expect(percent({})).toBe(90)
  expect(percent({ planned: outage })).toBe(100)
  expect(percent({ observed: [{ fromMs: 100_000, toMs: 120_000 }] })).toBe(100)
  expect(percent({ observed: outage })).toBe(0)
  expect(percent({ observed: [] })).toBeNull()
})
