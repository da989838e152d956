import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  describeHeartbeat,
  findLastChangeMs,
  formatHeartbeat,
  HALF_HOUR_MS,
  HALF_HOURS,
  type HeartbeatState,
  heartbeatStates,
  readHeartbeat,
} from './heartbeat.ts'

const last = 987_654
const up = new Array<HeartbeatState>(HALF_HOURS).fill('up')
const write = (changes: Record<number, HeartbeatState>, minute = 0) =>
  formatHeartbeat(Object.assign([...up], changes), last, minute)

test('what is written is read, in 17 characters that JSON does not escape', () => {
  const states = fc.array(fc.constantFrom(...heartbeatStates), { minLength: HALF_HOURS, maxLength: HALF_HOURS })
  fc.assert(
    fc.property(states, fc.nat({ max: 1_000_000 }), fc.nat({ max: 29 }), (day, end, minute) => {
      const text = formatHeartbeat(day, end + HALF_HOURS, minute)
      expect(readHeartbeat(text, end + HALF_HOURS)).toEqual(day)
      expect(JSON.stringify({ h: text })).toHaveLength('{"h":""}'.length + 17)
    }),
  )
})

test('the text of a terminal that is always up does not change when the next half hour begins', () => {
  expect(formatHeartbeat(up, last + 1, 0)).toBe(formatHeartbeat(up, last, 0))
})

test('finds the minute of the last change, whether the half hour of it counts as down or as up', () => {
  const at = (index: number, minute: number) => (last - HALF_HOURS + 1 + index) * HALF_HOUR_MS + minute * 60_000
  expect(findLastChangeMs(write({}), last)).toBeNull()
  expect(findLastChangeMs(write({ 20: 'not observed' }), last)).toBeNull()
  expect(findLastChangeMs(write({ 47: 'down' }, 12), last)).toBe(at(47, 12))
  expect(findLastChangeMs(write({ 40: 'down', 41: 'down' }, 25), last)).toBe(at(41, 25))
  expect(findLastChangeMs(write({ 40: 'down', 41: 'partly down' }, 3), last)).toBe(at(41, 3))
  expect(findLastChangeMs(write({ 45: 'not observed', 46: 'down', 47: 'down' }, 9), last)).toBe(at(46, 9))
})

test('says in words what is drawn', () => {
  expect(describeHeartbeat(write({}), last)).toBe('24 hours: up')
  expect(
    describeHeartbeat(write({ 1: 'down', 2: 'down', 3: 'down', 4: 'down', 5: 'down', 9: 'not observed' }), last),
  ).toBe('24 hours: 2 h 30 min down, 30 min not observed')
  expect(describeHeartbeat(write({ 1: 'partly down' }), last)).toBe('24 hours: down at times in 1 half hour')
  expect(
    describeHeartbeat(
      formatHeartbeat(
        up.map(() => 'down'),
        last,
        0,
      ),
      last,
    ),
  ).toBe('24 hours: down')
  expect(describeHeartbeat('', last)).toBe('24 hours: not observed')
})
