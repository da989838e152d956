import { expect, test } from 'vitest'
import { readFields, toFields, type WindowFields } from './window-form.ts'

const beforeNight = Date.UTC(2026, 10, 22, 10, 59)
const propose = (nowMs: number) => toFields(undefined, nowMs, 'America/Anchorage')
const read = (changes: Partial<WindowFields>) => readFields({ ...propose(beforeNight), ...changes })

test('proposes the next night, also when tonight has begun', () => {
  expect(propose(beforeNight)).toMatchObject({ firstDay: '2026-11-22', startMinute: '02:00' })
  expect(propose(beforeNight + 60_000)).toMatchObject({ firstDay: '2026-11-23', startMinute: '02:00' })
})

test('reads a window of each kind', () => {
  expect(read({ name: 'New mast', terminal: 'Bethel' }).planned).toEqual({
    name: 'New mast',
    target: { kind: 'terminal', terminal: 'Bethel' },
    schedule: { repeats: 'once', firstDay: '2026-11-22', startMinute: 120, lengthMinutes: 120 },
  })
  const area = { kind: 'area', latitude: '60.8', longitude: '-161.6' } as const
  expect(read({ name: 'Power', ...area, repeats: 'monthly', monthDays: '1, 15' }).planned).toMatchObject({
    target: { kind: 'area', area: { latitude: 60.8, longitude: -161.6, radiusKm: 50 } },
    schedule: { repeats: 'monthly', days: [1, 15], lastDay: null },
  })
})

test('says what is wrong at its field', () => {
  expect(read({ terminal: ' ' }).errors).toEqual({
    name: 'This field is required.',
    terminal: 'This field is required.',
  })
  expect(read({ name: 'x', terminal: 'x', repeats: 'weekly', firstDay: '' }).errors).toEqual({
    firstDay: 'Please enter a day such as 2026-11-17.',
    weekdays: 'Please choose at least one day.',
  })
  expect(read({ name: 'x', terminal: 'x', repeats: 'monthly', monthDays: '32', lengthMinutes: '0' }).errors).toEqual({
    lengthMinutes: 'Please enter a whole number from 1 to 10,080.',
    monthDays: 'Please enter a whole number from 1 to 31.',
  })
  expect(read({ name: 'x', kind: 'area', latitude: '91', longitude: '' }).errors).toEqual({
    latitude: 'Please enter a number from -90 to 90.',
    longitude: 'Please enter a number from -180 to 180.',
  })
})
