import { expect, test } from 'vitest'
import { formatHeartbeat, HALF_HOURS, type HeartbeatState } from '#contract/heartbeat.ts'
import type { TerminalListItem } from '#contract/terminals.ts'
import { measureDay } from './fleet-day.ts'
import { needsAttention, orderFleet } from './list-order.ts'

const last = 500_000
const draw = (changes: Record<number, HeartbeatState> = {}, minute = 0) =>
  formatHeartbeat(Object.assign(new Array<HeartbeatState>(HALF_HOURS).fill('up'), changes), last, minute)

const terminal = (id: string, fields: Partial<TerminalListItem> = {}): TerminalListItem => ({
  id,
  deviceID: id,
  serviceLine: id,
  nickname: id,
  customname: null,
  status: 'online',
  alerts: [],
  isMobile: false,
  coordinates: null,
  street: null,
  city: null,
  state: null,
  lastSeen: null,
  h: draw(),
  ...fields,
})

const fleet = [
  terminal('a plain'),
  terminal('b flapping', { h: draw({ 40: 'partly down' }, 7) }),
  terminal('c disabled', { alerts: ['disabled_no_account'] }),
  terminal('d alert', { alerts: ['mast_not_vertical'] }),
  terminal('e no data', { status: 'no data', h: null }),
  terminal('f offline', { status: 'offline', h: draw({ 47: 'down' }, 3) }),
  terminal('g offline longer', { status: 'offline', h: draw({ 46: 'down', 47: 'down' }, 20) }),
  terminal('h plain'),
  terminal('i same half hour', { h: draw({ 40: 'partly down' }, 8) }),
]
const listIds = (order: Parameters<typeof orderFleet>[1]) =>
  orderFleet(fleet, order, last)
    .map(({ id }) => id[0])
    .join('')

test('orders by name, by what is worst and by the latest change; equal ones stay by name', () => {
  expect(listIds('name')).toBe('abcdefghi')
  expect(listIds('worst')).toBe('gfedcbiah')
  expect(listIds('latest')).toBe('fgibacdeh')
})

test('what does not work or has an alert needs attention, and what is disabled does not', () => {
  expect(fleet.filter(needsAttention).map(({ id }) => id[0])).toEqual(['d', 'e', 'f', 'g'])
})

test('the trend is the share of those that were observed', () => {
  const day = measureDay(
    [
      terminal('a', { h: draw({ 0: 'not observed', 1: 'down', 2: 'partly down' }) }),
      terminal('b', { h: draw({ 0: 'not observed', 3: 'not observed' }) }),
      terminal('never observed', { h: null }),
    ],
    last,
  )
  expect(day.slice(0, 5)).toEqual([null, 0.5, 0.75, 1, 1])
  expect(day).toHaveLength(HALF_HOURS)
})

test('a half hour in which most were not observed is unknown, though some are known to have been down', () => {
  const day = measureDay(
    [
      terminal('a', { h: draw({ 1: 'down' }) }),
      terminal('b', { h: draw({ 1: 'not observed' }) }),
      terminal('c', { h: draw({ 1: 'not observed' }) }),
    ],
    last,
  )
  expect(day.slice(0, 3)).toEqual([1, null, 1])
})

test('outages that began before anything was observed are not the availability of the fleet', () => {
  const nothing = formatHeartbeat(new Array<HeartbeatState>(HALF_HOURS).fill('not observed'), last, 0)
  const known = draw(Object.fromEntries(Array.from({ length: HALF_HOURS }, (_, index) => [index, 'down'])))
  const day = measureDay(
    [terminal('a', { h: known }), terminal('b', { h: nothing }), terminal('c', { h: nothing })],
    last,
  )
  expect(day.every((share) => share === null)).toBe(true)
})
