import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatDateTime } from '#contract/format/times.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let admin: string
let user: string
let userId: number
let foreignId: number

beforeAll(async () => {
  server = await startTestServer()
  await server.addUser('a', { email: 'ada@a.example', role: 'admin', customerName: 'Ada' })
  userId = await server.addUser('a', { email: 'bob@a.example', customerName: 'Bob' })
  foreignId = await server.addUser('b', { email: 'bob@b.example' })
  admin = (await server.signIn('a', 'ada@a.example')).access
  user = (await server.signIn('a', 'bob@a.example')).access
})
afterAll(() => server.close())

const set = (item_code: string, value: string, user_id: number | string = userId) =>
  server.call('a', 'PATCH', '/api/acp/value/', { token: admin, body: { user_id, item_code, value } })
const mine = async (query = '') =>
  (await server.call('a', 'GET', `/api/rbac/my-effective/${query}`, { token: user })).body
const entries = async () => (await server.call('a', 'GET', '/api/get-logs/?action=access.set', { token: admin })).body

describe('the matrix', () => {
  test('has everybody, the items as they are described, and only what was set', async () => {
    const { body } = await server.call('a', 'GET', '/api/acp/matrix/', { token: admin })
    expect(body.users).toEqual([
      { id: expect.any(String), full_name: 'Ada', email: 'ada@a.example', username: 'north', role: 'admin' },
      { id: String(userId), full_name: 'Bob', email: 'bob@a.example', username: 'north', role: 'user' },
    ])
    expect(body.items).toContainEqual({
      code: 'metadata',
      label: 'Metadata',
      kind: 'enum',
      default_value: 'cannot_see',
      enum_options: ['cannot_see', 'read_only', 'read_write'],
      allows: expect.stringContaining('Read only: shown.'),
    })
    expect(body.values).toEqual({})
  })
})

describe('giving an item', () => {
  test('holds from the next call on, and is recorded with what was before', async () => {
    expect(await mine('?items=plan_manager')).toEqual({ version: expect.any(String), plan_manager: false })
    const { status, body } = await set('plan_manager', 'true')
    expect([status, body]).toEqual([200, { user_id: String(userId), item_code: 'plan_manager', value: 'true' }])
    expect(await mine('?items=plan_manager')).toMatchObject({ plan_manager: true })
    expect((await entries())[0]).toMatchObject({
      actionPerformer: 'ada@a.example',
      actionPerformee: 'bob@a.example',
      details: { before: { plan_manager: 'false' }, after: { plan_manager: 'true' } },
    })
    const matrix = (await server.call('a', 'GET', '/api/acp/matrix/', { token: admin })).body
    expect(matrix.values).toEqual({ [userId]: { plan_manager: 'true' } })
  })

  test('that is held already changes nothing and records nothing', async () => {
    await set('metadata', 'read_only')
    const before = await entries()
    expect((await set('metadata', 'read_only')).status).toBe(200)
    expect(await entries()).toEqual(before)
  })

  test('changes the version that open pages watch, as role and group do', async () => {
    const first = (await mine()).version
    await set('rename_terminal', 'true')
    const second = (await mine()).version
    expect(second).not.toBe(first)
    await set('rename_terminal', 'false')
    expect((await mine()).version).toBe(first)
    const user = { email: 'bob@a.example', username: 'south', customerName: 'Bob', company: 'Company' }
    await server.call('a', 'PUT', `/api/update-user/${userId}/`, { token: admin, body: user })
    expect((await mine()).version).not.toBe(first)
  })

  test.each([
    ['an item that does not exist', 'fly', 'true'],
    ['a property every object has', 'constructor', 'true'],
    ['a value the item does not know', 'metadata', 'everything'],
    ['a value of another kind', 'plan_manager', 'read_only'],
    ['nothing', 'plan_manager', ''],
  ])('refuses %s', async (_name, item, value) => {
    const before = await entries()
    expect((await set(item, value)).status).toBe(400)
    expect(await entries()).toEqual(before)
  })

  test('to a user of another tenant is not found', async () => {
    expect((await set('plan_manager', 'true', foreignId)).status).toBe(404)
    expect((await set('plan_manager', 'true', '999999')).status).toBe(404)
  })
})

describe('why', () => {
  const why = async (id: number) => {
    const { body } = await server.call('a', 'GET', `/api/acp/effective/${id}/`, { token: admin })
    return Object.fromEntries(
      body.items.map(({ code, value, source, why: text }: Record<string, string>) => [code, [value, source, text]]),
    )
  }

  test('a user holds an item or not: by grant, by default, or as an administrator', async () => {
    const at = formatDateTime(server.clock.now, 'UTC')
    await set('metadata', 'read_write')
    expect(await why(userId)).toMatchObject({
      metadata: ['read_write', 'set', `Set to read write by ada@a.example on ${at}.`],
      terminal_control: ['true', 'default', 'Nothing was set for this user; the default is yes.'],
    })
    const bob = { email: 'bob@a.example', username: 'north', customerName: 'Bob', company: 'Company' }
    const update = (role: string) =>
      server.call('a', 'PUT', `/api/update-user/${userId}/`, { token: admin, body: { ...bob, role } })
    await update('admin')
    expect(await why(userId)).toMatchObject({
      rename_terminal: [
        'true',
        'admin',
        `Administrators hold every item. As a user they would have no, set by ada@a.example on ${at}.`,
      ],
      terminal_control: ['true', 'admin', 'Administrators hold every item.'],
    })
    await update('user')
  })

  test('of a user of another tenant is not shown', async () => {
    expect((await server.call('a', 'GET', `/api/acp/effective/${foreignId}/`, { token: admin })).status).toBe(404)
  })
})
