import { expect, it } from 'vitest'
import type { MatrixUser } from './matrix.ts'
import { arrangeUsers, userColumns } from './user-columns.tsx'

const user = (id: string, full_name: string): MatrixUser => ({
  id,
  full_name,
  email: `${id}@x.example`,
  username: `group-${id}`,
  role: 'user',
})
const users = [user('1', 'Wren Olson'), user('2', 'Ada Ivanoff')]
const find = (text: string) => arrangeUsers(users, text).map(({ id }) => id)

it('finds users by name, email or username, and sorts them by name', () => {
  expect(find('')).toEqual(['2', '1'])
  expect(find(' IVANOFF ')).toEqual(['2'])
  expect(find('1@X')).toEqual(['1'])
  expect(find('group-2')).toEqual(['2'])
  expect(find('nobody')).toEqual([])
})

it('searches every column of a user', () => {
  for (const { key, search } of userColumns)
    for (const each of users) expect(find(String(search?.(each))), key).toEqual([each.id])
})
