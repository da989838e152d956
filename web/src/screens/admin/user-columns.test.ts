import { expect, it } from 'vitest'
import type { User } from '#contract/users.ts'
import { arrangeUsers, userColumns } from './user-columns.tsx'

const user = (email: string, more: Partial<User> = {}): User => ({
  user_id: email,
  email,
  username: 'north',
  customerName: 'Some One',
  company: 'Company',
  role: 'user',
  activeSessions: 0,
  hasSecondFactor: false,
  lastSignIn: null,
  initialPasswordExpires: null,
  ...more,
})

const all = [
  user('b@x.example', { company: 'Ærø Net', lastSignIn: new Date('2026-01-02') }),
  user('a@x.example', { username: 'South', role: 'admin' }),
  user('c@x.example', { customerName: 'Cleo', lastSignIn: new Date('2026-03-01') }),
]
const emails = (...args: Parameters<typeof arrangeUsers>) => arrangeUsers(...args).map(({ email }) => email[0])

it('finds a user by any field, ignoring case', () => {
  expect(emails(all, 'ÆRØ', undefined)).toEqual(['b'])
  expect(emails(all, 'south', undefined)).toEqual(['a'])
  expect(emails(all, 'cleo', undefined)).toEqual(['c'])
  expect(emails(all, 'ADMIN', undefined)).toEqual(['a'])
  expect(emails(all, 'x.example', undefined)).toEqual(['b', 'a', 'c'])
})

it('searches every text column', () => {
  const one = user('d@x.example', { username: 'east', customerName: 'Dee', company: 'Dry Dock', role: 'admin' })
  for (const { key, search } of userColumns)
    for (const value of [search?.(one)].flat())
      if (value) expect(emails([...all, one], String(value), undefined), key).toContain('d')
  const others = userColumns.filter(({ search }) => !search)
  expect(others.map(({ key }) => key)).toEqual(['lastSignIn', 'sessions', 'factors', 'actions'])
})

it('sorts users by any column, and ignores an unknown one', () => {
  expect(emails(all, '', { key: 'email', descending: false })).toEqual(['a', 'b', 'c'])
  expect(emails(all, '', { key: 'lastSignIn', descending: true })).toEqual(['c', 'b', 'a'])
  expect(emails(all, '', { key: 'constructor', descending: true })).toEqual(['b', 'a', 'c'])
})
