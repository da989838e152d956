import { expect, test } from 'vitest'
import { createFeedClock } from './feed-clock.ts'
import { type StatusRow, statusAfterRow, statusAfterSilence, statusLimits, type TerminalState } from './status.ts'

const T0 = Date.UTC(2026, 10, 15, 12)
const S = 1_000
const MIN = 60 * S
const HOUR = 60 * MIN
const DAY = 24 * HOUR

const alwaysAlive = (fromMs: number, toMs: number) => toMs - fromMs
const neverAlive = () => 0

const state = (status: TerminalState['status'], given: Partial<TerminalState> = {}): TerminalState => ({
  status,
  disabled: false,
  sinceMs: T0 - HOUR,
  seenAtMs: T0,
  lastResponseAtMs: T0,
  ...given,
})
const row = (atMs: number, given: Partial<StatusRow> = {}): StatusRow => ({
  atMs,
  lostAllPings: false,
  disabled: false,
  ...given,
})
const afterRow = (previous: TerminalState | null, next: StatusRow, alive = alwaysAlive) =>
  statusAfterRow(previous, next, alive, statusLimits)
const afterSilence = (previous: TerminalState, feedAtMs: number, alive = alwaysAlive) =>
  statusAfterSilence(previous, feedAtMs, alive, statusLimits)

const offlineLongAgo = state('offline', { seenAtMs: T0 - HOUR, lastResponseAtMs: T0 - HOUR })
const lostPings = { lostAllPings: true }

test.each<[string, TerminalState | null, StatusRow, string]>([
  ['a first row with responses', null, row(T0), 'online'],
  ['a first row that lost every ping', null, row(T0, lostPings), 'offline'],
  ['an online terminal stays online', state('online'), row(T0 + 15 * S), 'online'],
  ['online with a missed row or two', state('online'), row(T0 + 45 * S), 'online'],
  ['online, one row with every ping lost', state('online'), row(T0 + 15 * S, lostPings), 'online'],
  [
    'online, every ping lost for three minutes',
    state('online', { seenAtMs: T0 + 165 * S }),
    row(T0 + 180 * S, lostPings),
    'offline',
  ],
  ['offline, the first row', offlineLongAgo, row(T0), 'offline'],
  ['offline, a second row close to the first', state('offline'), row(T0 + 15 * S), 'online'],
  ['offline, a second row far from the first', state('offline'), row(T0 + 61 * S), 'offline'],
  [
    'offline, rows that lose every ping',
    state('offline', { lastResponseAtMs: T0 - HOUR }),
    row(T0 + 15 * S, lostPings),
    'offline',
  ],
  [
    'no data, the first row',
    state('no data', { seenAtMs: T0 - 2 * DAY, lastResponseAtMs: T0 - 2 * DAY }),
    row(T0),
    'no data',
  ],
  ['no data, the second row', state('no data'), row(T0 + 15 * S), 'online'],
  [
    'no data, a row that lost every ping',
    state('no data', { lastResponseAtMs: null }),
    row(T0 + 15 * S, lostPings),
    'offline',
  ],
])('%s', (_, previous, next, expected) => {
  expect(afterRow(previous, next).state.status).toBe(expected)
})

test.each<[string, TerminalState, number, typeof alwaysAlive, string]>([
  ['online, silent for less than three minutes', state('online'), T0 + 179 * S, alwaysAlive, 'online'],
  ['online, silent for three minutes', state('online'), T0 + 180 * S, alwaysAlive, 'offline'],
  ['online, silent with the whole feed', state('online'), T0 + 30 * MIN, neverAlive, 'online'],
  ['offline for a day', state('offline'), T0 + DAY, alwaysAlive, 'no data'],
  ['offline for less than a day', state('offline'), T0 + DAY - S, alwaysAlive, 'offline'],
  ['online, then silent for a day', state('online'), T0 + DAY, alwaysAlive, 'no data'],
  ['no data stays so', state('no data'), T0 + 2 * DAY, alwaysAlive, 'no data'],
])('%s', (_, previous, feedAtMs, alive, expected) => {
  expect(afterSilence(previous, feedAtMs, alive).state.status).toBe(expected)
})

test('a change dates from the row that caused it, and going offline from the first missed row', () => {
  expect(afterRow(state('offline'), row(T0 + 15 * S)).edges).toEqual([
    { atMs: T0 + 15 * S, status: 'online', disabled: false },
  ])
  expect(afterSilence(state('online'), T0 + HOUR).edges).toEqual([
    { atMs: T0 + 15 * S, status: 'offline', disabled: false },
  ])
  expect(afterSilence(state('online'), T0 + DAY).edges).toEqual([
    { atMs: T0 + 15 * S, status: 'offline', disabled: false },
    { atMs: T0 + DAY, status: 'no data', disabled: false },
  ])
})

test('a row after a silence adds the edge of the silence first', () => {
  const { state: after, edges } = afterRow(state('online'), row(T0 + HOUR))
  expect(edges).toEqual([{ atMs: T0 + 15 * S, status: 'offline', disabled: false }])
  expect(afterRow(after, row(T0 + HOUR + 15 * S)).edges).toEqual([
    { atMs: T0 + HOUR + 15 * S, status: 'online', disabled: false },
  ])
})

test('a disabling alert changes the state immediately when it starts and when it ends', () => {
  const disabled = afterRow(state('online'), row(T0 + 15 * S, { disabled: true }))
  expect(disabled.edges).toEqual([{ atMs: T0 + 15 * S, status: 'online', disabled: true }])
  expect(afterRow(disabled.state, row(T0 + 30 * S)).edges).toEqual([
    { atMs: T0 + 30 * S, status: 'online', disabled: false },
  ])
})

test('a row that is not newer changes nothing', () => {
  const previous = state('offline')
  expect(afterRow(previous, row(T0, { disabled: true }))).toEqual({ state: previous, edges: [] })
})

test('edges of one terminal never share a time', () => {
  const young = state('online', { sinceMs: T0 + 20 * S, lastResponseAtMs: null })
  const [edge] = afterSilence({ ...young, lastResponseAtMs: T0 }, T0 + HOUR).edges
  expect(edge?.atMs).toBeGreaterThan(young.sinceMs)
})

test('the feed’s time stands still while it reports no terminal', () => {
  const clock = createFeedClock(statusLimits)
  expect(clock.getPresentMs()).toBeNull()
  for (let atMs = T0; atMs < T0 + 2 * MIN; atMs += 15 * S) clock.recordRow(atMs)
  for (let atMs = T0 + 32 * MIN; atMs < T0 + 34 * MIN; atMs += 15 * S) clock.recordRow(atMs)
  expect(clock.getPresentMs()).toBe(T0 + 34 * MIN - 15 * S)
  expect(clock.aliveBetween(T0, T0 + 34 * MIN)).toBe(4 * MIN - 15 * S)
  expect(clock.aliveBetween(T0 + 3 * MIN, T0 + 31 * MIN)).toBe(0)
})

test('rows in any order make the same timeline', () => {
  const times = Array.from({ length: 40 }, (_, slot) => T0 + slot * 15 * S)
  const ordered = createFeedClock(statusLimits)
  const mixed = createFeedClock(statusLimits)
  for (const atMs of times) ordered.recordRow(atMs)
  for (const index of times.keys()) mixed.recordRow(times[(index * 17) % times.length] as number)
  for (const clock of [ordered, mixed]) clock.recordRow(T0 + 15 * MIN)
  expect(mixed.aliveBetween(T0, T0 + 10 * MIN)).toBe(ordered.aliveBetween(T0, T0 + 10 * MIN))
})

test('while the vendor makes up for a missing period, newer rows of others do not make a terminal silent', () => {
  const clock = createFeedClock(statusLimits)
  const lastMs = T0 + 2 * MIN
  const recordRows = (fromMs: number, toMs: number) => {
    for (let atMs = fromMs; atMs < toMs; atMs += 15 * S) clock.recordRow(atMs)
  }
  recordRows(T0, lastMs)
  recordRows(T0 + 32 * MIN, T0 + 36 * MIN)
  expect(clock.aliveBetween(lastMs, T0 + 36 * MIN)).toBeGreaterThanOrEqual(3 * MIN)
  recordRows(lastMs, T0 + 4 * MIN)
  expect(clock.aliveBetween(T0 + 3 * MIN, T0 + 36 * MIN)).toBeLessThanOrEqual(MIN)
  recordRows(T0 + 36 * MIN, T0 + 38 * MIN)
  expect(clock.aliveBetween(T0 + 3 * MIN, T0 + 38 * MIN)).toBeGreaterThanOrEqual(6 * MIN)
})

test('a dish whose clock is slow does not hide the silence of others for long', () => {
  const clock = createFeedClock(statusLimits)
  clock.recordRow(T0)
  for (let atMs = T0 + 5 * HOUR; atMs < T0 + 6 * HOUR; atMs += 15 * S) {
    clock.recordRow(atMs)
    clock.recordRow(atMs - 4 * HOUR)
  }
  expect(clock.aliveBetween(T0 + 5 * HOUR, T0 + 6 * HOUR)).toBeGreaterThanOrEqual(15 * MIN)
})

test('a feed with empty responses counts as late at first and as silent after the limit', () => {
  const clock = createFeedClock(statusLimits)
  clock.recordRow(T0)
  clock.recordEmptyResponse(T0 + 39 * MIN)
  expect(clock.getPresentMs()).toBe(T0)
  for (let atMs = T0 + 40 * MIN; atMs <= T0 + 44 * MIN; atMs += 5 * S) clock.recordEmptyResponse(atMs)
  expect(clock.aliveBetween(T0, T0 + 44 * MIN)).toBeGreaterThanOrEqual(3 * MIN)
})
