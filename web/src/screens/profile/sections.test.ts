import { expect, it } from 'vitest'
import { findReadSection } from './sections.ts'

const places = [
  { id: 'account', topPx: -400 },
  { id: 'security', topPx: 90 },
  { id: 'notifications', topPx: 700 },
] as const

it('finds the section that is read', () => {
  expect(findReadSection(places, 160, false)).toBe('security')
  expect(findReadSection(places, 80, false)).toBe('account')
})

it('takes the first section above all of them, and the last one at the end of the page', () => {
  expect(findReadSection(places, -900, false)).toBe('account')
  expect(findReadSection(places, 160, true)).toBe('notifications')
  expect(findReadSection([], 160, true)).toBeUndefined()
})
