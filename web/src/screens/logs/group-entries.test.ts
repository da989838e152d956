import { expect, test } from 'vitest'
import type { LogEntry } from '#contract/audit.ts'
import { groupEntries } from './group-entries.ts'

const entry = (id: string, actionPerformer: string, at: string): LogEntry => ({
  id,
  actionPerformer,
  actionType: 'user.create',
  actionPerformee: `user ${id}`,
  actionTime: new Date(at),
  details: {},
})

test('neighbors of one performer and time are one change, in their order', () => {
  const entries = [
    entry('6', 'ada', '2026-11-17T10:00:00.002Z'),
    entry('5', 'ada', '2026-11-17T10:00:00.001Z'),
    entry('4', 'ada', '2026-11-17T10:00:00.001Z'),
    entry('3', 'bob', '2026-11-17T10:00:00.001Z'),
    entry('2', 'ada', '2026-11-17T10:00:00.001Z'),
  ]
  const ids = groupEntries(entries).map((group) => group.entries.map(({ id }) => id))
  expect(ids).toEqual([['6'], ['5', '4'], ['3'], ['2']])
  expect(groupEntries([])).toEqual([])
})
