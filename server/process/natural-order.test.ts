import { afterAll, beforeAll, expect, test } from 'vitest'
import { addLine } from '../testing/add-line.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

const NAMES = ['Boat 10', 'Älvik 1', 'boat 9', 'Boat 1']
const IN_ORDER = ['Älvik 1', 'Boat 1', 'boat 9', 'Boat 10']

let server: TestServer
let token: string
beforeAll(async () => {
  server = await startTestServer()
  await server.addUser('a', { role: 'admin', email: 'admin@a.example', customerName: 'Zoe' })
  for (const [index, name] of NAMES.entries()) {
    await server.addUser('a', { email: `boat${name.split(' ')[1]}-${index}@a.example`, customerName: name })
    await server.database.transaction({ tenantId: 'a' }, (db) =>
      addLine(db, 'a', { service_line_number: `SL-${index}`, nickname: name, group_name: 'north' }),
    )
  }
  token = (await server.signIn('a', 'admin@a.example')).access
})
afterAll(() => server.close())

const get = async (path: string) => (await server.call('a', 'GET', `/api${path}`, { token })).body

test('users are listed by address, and their access by name', async () => {
  const users: { email: string }[] = await get('/get-users/')
  expect(users.map(({ email }) => email.split('@')[0])).toEqual(['admin', 'boat1-1', 'boat1-3', 'boat9-2', 'boat10-0'])
  const matrix: { users: { full_name: string }[] } = await get('/acp/matrix/')
  expect(matrix.users.map(({ full_name }) => full_name)).toEqual([...IN_ORDER, 'Zoe'])
})

test('lines are listed by name where they are chosen and summed up', async () => {
  const profile: { terminalList: { nickname: string }[] } = await get('/user-profile/')
  expect(profile.terminalList.map(({ nickname }) => nickname)).toEqual(IN_ORDER)
  const available: { data: { nickname: string }[] } = await get('/vp-service-line')
  expect(available.data.map(({ nickname }) => nickname)).toEqual(IN_ORDER)
  const summary: { plans: { service_lines: { nickname: string }[] }[] } = await get('/executive-summary/')
  expect(summary.plans[0]?.service_lines.map(({ nickname }) => nickname)).toEqual(IN_ORDER)
})
