import { expect, it } from 'vitest'
import { readDetails } from './details.ts'

it('puts old and new values side by side, with a dash where there is none', () => {
  const details = { before: { role: 'user', note: null }, after: { role: 'admin', lines: ['SL-1', 'SL-2'] } }
  expect(readDetails(details).changes).toEqual([
    { name: 'Role', before: 'user', after: 'admin' },
    { name: 'Note', before: '-', after: '-' },
    { name: 'Lines', before: '-', after: 'SL-1, SL-2' },
  ])
})

it('lists other facts, including a plain value before or after', () => {
  expect(readDetails({ sessions: 2, before: 'Nome', after: 'Nome School', at: { lat: 1 } })).toEqual({
    changes: [],
    facts: [
      { name: 'Sessions', value: '2' },
      { name: 'At', value: '{"lat":1}' },
      { name: 'Before', value: 'Nome' },
      { name: 'After', value: 'Nome School' },
    ],
  })
})

it('names fields in words, and writes moments and switches as every page does', () => {
  const details = { hasPassPhrase: false, expiresAt: '2026-11-25T07:25:55.436Z', usage_limit_GB: 1420, link: '2026-11' }
  expect(readDetails(details).facts).toEqual([
    { name: 'Has pass phrase', value: 'no' },
    { name: 'Expires at', value: 'Nov 24, 2026, 22:25:55 AKST' },
    { name: 'Usage limit', value: '1,420 GB' },
    { name: 'Link', value: '2026-11' },
  ])
})
