import { expect, test } from 'vitest'
import type { TerminalListItem } from '#contract/terminals.ts'
import { applyChanges, type ChangesWire, compareRevision } from './apply-changes.ts'
import type { Fleet } from './fleet.ts'
import { readListItem } from './read-terminal.ts'

const wire = (id: string, change: object = {}) => ({
  id,
  deviceID: `ut-${id}`,
  serviceLine: `SL-${id}`,
  nickname: `line-${id}`,
  customname: `Boat ${id}`,
  status: 'online',
  alerts: '[]',
  isMobile: false,
  coordinates: '[58,-152]',
  street: null,
  city: 'Kodiak',
  state: 'AK',
  lastSeen: '2026-11-15T12:00:00.000Z',
  ...change,
})

const fleet: Fleet = {
  revision: 'e.1',
  terminals: [readListItem(wire('1')), readListItem(wire('2'))],
  changedAtMs: new Map(),
}
const event = (fields: Partial<ChangesWire>): ChangesWire => ({
  kind: 'changes',
  since: 'e.1',
  revision: 'e.2',
  terminals: [],
  changes: [],
  removed: [],
  ...fields,
})
const after = (fields: Partial<ChangesWire>) => applyChanges(fleet, event(fields), readListItem, 5000)
const names = ({ terminals }: Fleet) => terminals.map(({ customname }: TerminalListItem) => customname)

test('marks a terminal that goes offline as changed and leaves the others identical', () => {
  const next = after({ changes: [{ id: '2', status: 'offline' }] })
  expect(next.terminals[1]).toEqual({ ...fleet.terminals[1], status: 'offline' })
  expect(next.terminals[0]).toBe(fleet.terminals[0])
  expect([...next.changedAtMs]).toEqual([['2', 5000]])
  expect(next.revision).toBe('e.2')
})

test('does not highlight a newer sample, and ignores details in the plain list', () => {
  const next = after({ changes: [{ id: '2', lastSeen: '2026-11-15T12:00:15.000Z', latency: 30 }] })
  expect(next.terminals[1]).toEqual({ ...fleet.terminals[1], lastSeen: new Date('2026-11-15T12:00:15Z') })
  expect(next.changedAtMs.size).toBe(0)
})

test('sorts a new or renamed terminal by name, numbers as numbers', () => {
  const next = after({ terminals: [wire('10')], changes: [{ id: '1', customname: 'Boat 3' }] })
  expect(names(next)).toEqual(['Boat 2', 'Boat 3', 'Boat 10'])
})

test('drops a removed terminal, but not one that was removed and added again', () => {
  expect(names(after({ removed: ['1'] }))).toEqual(['Boat 2'])
  expect(names(after({ removed: ['1'], terminals: [wire('1', { customname: 'Boat 1b' })] }))).toEqual([
    'Boat 1b',
    'Boat 2',
  ])
})

test('drops a highlight after a while', () => {
  const glowing = { ...fleet, changedAtMs: new Map([['1', 0]]) }
  expect(applyChanges(glowing, event({}), readListItem, 10_000).changedAtMs.size).toBe(0)
})

test('distinguishes known events, following events and gaps', () => {
  expect(compareRevision('e.5', 'e.5', 'e.7')).toBe('next')
  expect(compareRevision('e.5', 'e.3', 'e.7')).toBe('next')
  expect(compareRevision('e.5', 'e.3', 'e.5')).toBe('known')
  expect(compareRevision('e.5', 'e.6', 'e.7')).toBe('gap')
  expect(compareRevision('e.5', 'f.5', 'f.6')).toBe('gap')
  expect(compareRevision(undefined, 'e.0', 'e.1')).toBe('gap')
})
