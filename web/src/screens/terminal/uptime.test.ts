import { expect, test } from 'vitest'
import { uptimeText } from './uptime.ts'

test('formats uptime in days, hours and minutes', () => {
  expect(uptimeText(2 * 86_400 + 3 * 3600 + 4 * 60 + 59)).toBe('2 days, 3 hours, 4 minutes')
  expect(uptimeText(86_400 + 3600 + 60)).toBe('1 day, 1 hour, 1 minute')
  expect(uptimeText(0)).toBe('0 days, 0 hours, 0 minutes')
  expect(uptimeText(null)).toBe('N/A')
})
