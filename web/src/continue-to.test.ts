import { expect, test } from 'vitest'
import { getPageName } from './continue-to.ts'

test.each([
  ['/dashboard?tenant=dishboard&status=online', 'Dashboard'],
  ['/plan-manager', 'Plan Manager'],
  ['/terminal/Nome%20School?period=15', 'terminal Nome School'],
  ['/terminal/100%', 'terminal 100%'],
  ['/something/else#there', '/something/else'],
])('names %s "%s"', (href, name) => {
  expect(getPageName(href)).toBe(name)
})
