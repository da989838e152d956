import { expect, test } from 'vitest'
import { describeSchedule, describeTarget } from './window-words.ts'

const times = { firstDay: '2026-11-22', startMinute: 150, lengthMinutes: 90 }

test.for([
  [{ repeats: 'once', ...times }, 'Nov 22 at 02:30 for 1 h 30 min'],
  [
    { repeats: 'weekly', ...times, days: [1, 3, 7], lastDay: null },
    'Every Monday, Wednesday, and Sunday at 02:30 for 1 h 30 min',
  ],
  [
    { repeats: 'weekly', ...times, days: [1, 2, 3, 4, 5, 6, 7], lengthMinutes: 60, lastDay: '2026-12-31' },
    'Every day at 02:30 for 1 h, until Dec 31',
  ],
  [
    { repeats: 'monthly', ...times, days: [1, 15], lengthMinutes: 45, lastDay: null },
    'Monthly on day 1 and 15 at 02:30 for 45 min',
  ],
] as const)('describes %o', ([schedule, words]) => {
  expect(describeSchedule({ ...schedule, ...('days' in schedule && { days: [...schedule.days] }) } as never)).toBe(
    words,
  )
})

test('says what is maintained', () => {
  expect(describeTarget({ target: { kind: 'terminal', terminal: 'SL-1' }, terminalName: 'Bethel' })).toBe('Bethel')
  expect(describeTarget({ target: { kind: 'group', group: 'north' }, terminalName: null })).toBe('Group north')
})
