import { expect, it } from 'vitest'
import { readDetails } from './details.ts'

it('puts old and new values side by side, with a dash where there is none', () => {
  const details = { before: { role: 'user', note: null }, after: { role: 'admin', lines: ['SL-1', 'SL-2'] } }
  expect(readDetails(details).changes).toEqual([
    { name: 'role', before: 'user', after: 'admin' },
    { name: 'note', before: '-', after: '-' },
    { name: 'lines', before: '-', after: 'SL-1, SL-2' },
  ])
})

it('lists other facts, including a plain value before or after', () => {
  expect(readDetails({ sessions: 2, before: 'Nome', after: 'Nome School', at: { lat: 1 } })).toEqual({
    changes: [],
    facts: [
      { name: 'sessions', value: '2' },
      { name: 'at', value: '{"lat":1}' },
      { name: 'before', value: 'Nome' },
      { name: 'after', value: 'Nome School' },
    ],
  })
})
