import { expect, test } from 'vitest'
import type { TerminalListItem } from '#contract/terminals.ts'
import { applyEvent, type Fleet } from './fleet.ts'

const terminal = (id: string, change: Partial<TerminalListItem> = {}): TerminalListItem => ({
  id,
  deviceID: `ut-${id}`,
  serviceLine: `SL-${id}`,
  nickname: `line-${id}`,
  customname: `Boat ${id}`,
  status: 'online',
  alerts: [],
  isMobile: false,
  coordinates: [58, -152],
  street: null,
  city: 'Kodiak',
  state: 'AK',
  lastSeen: new Date(0),
  ...change,
})

const fleet: Fleet = { revision: 'r1', terminals: [terminal('1'), terminal('2')], changedAtMs: new Map() }
const names = (after: Fleet) => after.terminals.map(({ customname }) => customname)

test('a terminal that goes down is marked as changed, the others keep their identity', () => {
  const event = { kind: 'terminals' as const, revision: 'r2', terminals: [terminal('2', { status: 'offline' })] }
  const after = applyEvent(fleet, event, 5000)
  expect(after.terminals[1]?.status).toBe('offline')
  expect(after.terminals[0]).toBe(fleet.terminals[0])
  expect([...after.changedAtMs]).toEqual([['2', 5000]])
  expect(after.revision).toBe('r2')
})

test('a newer sample alone is no visible change', () => {
  const event = { kind: 'terminals' as const, revision: 'r2', terminals: [terminal('2', { lastSeen: new Date(9) })] }
  const after = applyEvent(fleet, event, 5000)
  expect(after.terminals[1]?.lastSeen).toEqual(new Date(9))
  expect(after.changedAtMs.size).toBe(0)
})

test('a new or renamed terminal finds its place by name, numbers counted as numbers', () => {
  const added = [terminal('10'), terminal('1', { customname: 'Boat 3' })]
  const after = applyEvent(fleet, { kind: 'terminals', revision: 'r2', terminals: added }, 5000)
  expect(names(after)).toEqual(['Boat 2', 'Boat 3', 'Boat 10'])
})

test('a removed terminal leaves the list', () => {
  expect(names(applyEvent(fleet, { kind: 'removed', revision: 'r2', ids: ['1'] }, 5000))).toEqual(['Boat 2'])
})
