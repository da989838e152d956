import { expect, test } from 'vitest'
import { isSameState, pickState, toViewAddress } from './view-state.ts'

test('a view contains what its page has in the address, and nothing else', () => {
  const search = {
    q: 'nome',
    status: undefined,
    alert: '',
    sort: 'status',
    desc: true,
    tenant: 'a',
    at: '2026',
    map: '1,2,3',
  }
  expect(pickState('table', search)).toEqual({ q: 'nome', sort: 'status', desc: true })
  expect(pickState('dashboard', search)).toEqual({ q: 'nome', map: '1,2,3' })
})

test('a view is modified by what its page shows', () => {
  expect(isSameState('dashboard', { q: 'a' }, { q: 'a', sort: 'kit' })).toBe(true)
  expect(isSameState('dashboard', { q: 'a' }, { q: 'b' })).toBe(false)
  expect(isSameState('table', { columns: 'name' }, {})).toBe(false)
})

test('a view leads to its page with its state', () => {
  expect(toViewAddress({ id: 'x', page: 'table', state: { q: 'nome' } })).toEqual({
    to: '/terminaltable',
    search: { q: 'nome', saved: 'x' },
  })
})
