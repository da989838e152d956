import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let adminId: number
let token: string
let foreignId: number

const user = {
  email: 'new@a.example',
  username: 'north',
  customerName: 'New Person',
  company: 'Company',
  role: 'user',
  initialPassword: 'Initial-pass-1',
}

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
  server.call('a', method, `/api${path}`, { token, ...(body && { body }) })
const login = (email: string, password: string) =>
  server.call('a', 'POST', '/api/user/login/', { body: { email, password } })
const entries = async () => (await call('GET', '/get-logs/?limit=1000')).body
const create = async (more: Partial<typeof user> = {}): Promise<string> =>
  (await call('POST', '/create-user/', { ...user, ...more })).body.user_id
const update = (id: string | number, more: object = {}) => {
  const { initialPassword: _, role: __, ...form } = user
  return call('PUT', `/update-user/${id}/`, { ...form, ...more })
}
/** The log entries that a call adds. */
const recordedBy = async (work: () => Promise<unknown>) => {
  const before = await entries()
  await work()
  return (await entries()).slice(0, -before.length || undefined)
}

beforeAll(async () => {
  server = await startTestServer()
  adminId = await server.addUser('a', { email: 'ada@a.example', role: 'admin', username: 'staff' })
  foreignId = await server.addUser('b', { email: 'bob@b.example', username: 'foreign group' })
  token = (await server.signIn('a', 'ada@a.example')).access
})
afterAll(() => server.close())

describe('creating', () => {
  test('a user lets them sign in with the initial password, and requires one of their own', async () => {
    const recorded = await recordedBy(async () => {
      const { status, body } = await call('POST', '/create-user/', user)
      expect(status).toBe(200)
      expect(body).toEqual({
        user_id: expect.any(String),
        email: user.email,
        username: 'north',
        customerName: 'New Person',
        company: 'Company',
        role: 'user',
        activeSessions: 0,
        hasSecondFactor: false,
        lastSignIn: null,
        initialPasswordExpires: expect.any(String),
      })
    })
    expect((await login(user.email, user.initialPassword)).body).toMatchObject({ newUser: true })
    expect(recorded).toHaveLength(1)
    expect(recorded[0]).toMatchObject({ actionType: 'user.create', actionPerformer: 'ada@a.example' })
    expect(JSON.stringify(recorded)).not.toContain(user.initialPassword)
  })

  test('a second user with the same address, in any case of letters, is refused', async () => {
    const { status } = await call('POST', '/create-user/', { ...user, email: 'NEW@a.example' })
    expect(status).toBe(409)
    expect((await call('POST', '/create-user/', { ...user, email: 'bob@b.example' })).status).toBe(200)
  })

  test.each([
    ['email', { email: 'nobody' }],
    ['username', { username: ' ' }],
    ['customerName', { customerName: '' }],
    ['company', { company: '' }],
    ['initialPassword', { initialPassword: 'short' }],
    ['role', { role: 'owner' }],
  ])('without a fitting %s is refused, and the field is named', async (field, more) => {
    const { status, body } = await call('POST', '/create-user/', { ...user, email: 'other@a.example', ...more })
    expect([status, body.message]).toEqual([400, expect.stringMatching(new RegExp(`^${field}: `))])
  })
})

test('the list has all users of the tenant, no others, and no passwords', async () => {
  const { body } = await call('GET', '/get-users/')
  const emails = body.map(({ email }: { email: string }) => email)
  expect(emails).toEqual(emails.toSorted())
  expect(emails).toContain('ada@a.example')
  expect(body.map(({ user_id }: { user_id: string }) => user_id)).not.toContain(String(foreignId))
  expect(JSON.stringify(body)).not.toMatch(/password_hash|argon2|"initialPassword"/)
  const ada = body.find(({ email }: { email: string }) => email === 'ada@a.example')
  expect(ada).toMatchObject({ activeSessions: 1, lastSignIn: expect.any(String), initialPasswordExpires: null })
})

test('the groups are those of users and lines of this tenant', async () => {
  const { groups } = (await call('GET', '/user-groups/')).body
  expect(groups).toEqual(['north', 'staff'])
})

describe('an initial password', () => {
  test('that is not used expires after 14 days and then gets the same response as a wrong one', async () => {
    await create({ email: 'late@a.example' })
    const wrong = await login('late@a.example', 'Wrong-pass-1')
    const start = server.clock.now
    try {
      server.clock.now = new Date(start.getTime() + 15 * 86_400_000)
      const late = await login('late@a.example', user.initialPassword)
      expect([late.status, late.body]).toEqual([wrong.status, wrong.body])
      server.clock.now = new Date(start.getTime() + 13 * 86_400_000)
      expect((await login('late@a.example', user.initialPassword)).status).toBe(200)
      server.clock.now = new Date(start.getTime() + 40 * 86_400_000)
      expect((await login('late@a.example', user.initialPassword)).status).toBe(200)
    } finally {
      server.clock.now = start
    }
  })

  test('that an administrator resets ends the sessions of the user and is never shown', async () => {
    const id = await create({ email: 'reset@a.example' })
    const { access } = (await login('reset@a.example', user.initialPassword)).body
    const form = { email: 'reset@a.example', initialPassword: 'Another-pass-1' }
    const recorded = await recordedBy(async () => {
      const { status, body } = await update(id, form)
      expect(status).toBe(200)
      expect(body).toMatchObject({ activeSessions: 0, initialPasswordExpires: expect.any(String) })
    })
    expect(recorded).toMatchObject([{ actionType: 'user.update', details: { after: { password: 'replaced' } } }])
    expect(JSON.stringify(recorded)).not.toContain('Another-pass-1')
    expect((await server.call('a', 'GET', '/api/verify-token/', { token: access })).status).toBe(401)
    expect((await login('reset@a.example', user.initialPassword)).status).toBe(401)
    expect((await login('reset@a.example', 'Another-pass-1')).body).toMatchObject({ newUser: true })
  })

  test('left empty in the form changes nothing', async () => {
    const id = await create({ email: 'keep@a.example' })
    await update(id, { email: 'keep@a.example', initialPassword: '' })
    expect((await login('keep@a.example', user.initialPassword)).status).toBe(200)
  })
})

describe('changing', () => {
  test('a user records what was before and after, and holds at once', async () => {
    const id = await create({ email: 'move@a.example' })
    const { access } = (await login('move@a.example', user.initialPassword)).body
    const form = { email: 'moved@a.example', username: 'south', role: 'admin' }
    const recorded = await recordedBy(async () => expect((await update(id, form)).status).toBe(200))
    expect(recorded).toMatchObject([
      {
        actionType: 'user.update',
        actionPerformee: 'move@a.example',
        details: {
          before: { email: 'move@a.example', username: 'north', role: 'user' },
          after: { email: 'moved@a.example', username: 'south', role: 'admin' },
        },
      },
    ])
    const { body } = await server.call('a', 'GET', '/api/verify-token/', { token: access })
    expect(body).toMatchObject({ email: 'moved@a.example', role: 'admin' })
    await call('DELETE', `/delete-user/${id}/`)
  })

  test('nothing records nothing', async () => {
    const id = await create({ email: 'same@a.example' })
    expect(await recordedBy(() => update(id, { email: 'same@a.example' }))).toEqual([])
  })

  test('the address to one in use is refused as a whole', async () => {
    const id = await create({ email: 'clash@a.example' })
    expect((await update(id, { email: 'ADA@a.example', company: 'Other' })).status).toBe(409)
    const { body } = await call('GET', '/get-users/')
    expect(body.find(({ user_id }: { user_id: string }) => user_id === id)).toMatchObject({ company: 'Company' })
  })

  test('or deleting somebody of another tenant, or nobody, finds nobody', async () => {
    for (const id of [foreignId, 999_999]) {
      expect((await update(id)).status).toBe(404)
      expect((await call('DELETE', `/delete-user/${id}/`)).status).toBe(404)
      expect((await call('POST', `/end-user-sessions/${id}/`)).status).toBe(404)
    }
  })
})

describe('deleting', () => {
  test('a user ends their sessions at once and is recorded', async () => {
    const id = await create({ email: 'gone@a.example' })
    const { access, refresh } = (await login('gone@a.example', user.initialPassword)).body
    const recorded = await recordedBy(async () => {
      const { status, body } = await call('DELETE', `/delete-user/${id}/`)
      expect([status, body]).toEqual([200, { message: 'User deleted successfully' }])
    })
    expect(recorded).toMatchObject([
      { actionType: 'user.delete', actionPerformee: 'gone@a.example', details: { before: { username: 'north' } } },
    ])
    expect((await server.call('a', 'GET', '/api/verify-token/', { token: access })).status).toBe(401)
    expect((await server.call('a', 'POST', '/api/token/refresh/', { body: { refresh } })).status).toBe(401)
    expect((await call('DELETE', `/delete-user/${id}/`)).status).toBe(404)
  })

  test('or demoting the last administrator is refused', async () => {
    const form = { email: 'ada@a.example', username: 'staff', customerName: 'Some One' }
    for (const refused of [
      await call('DELETE', `/delete-user/${adminId}/`),
      await update(adminId, { ...form, role: 'user' }),
    ])
      expect([refused.status, refused.body.message]).toEqual([
        409,
        'The last administrator cannot be deleted or demoted.',
      ])
    expect((await update(adminId, { ...form, role: 'admin' })).status).toBe(200)
  })

  test('two administrators who demote or delete each other at the same moment leave one', async () => {
    for (const leave of ['demote', 'delete']) {
      const otherId = await create({ email: 'other-admin@a.example', role: 'admin' })
      const other = (await login('other-admin@a.example', user.initialPassword)).body.access
      const form = { username: 'staff', customerName: 'Some One', company: 'Company', role: 'user' }
      const as = (who: string, id: string | number, email: string) =>
        leave === 'delete' && id === otherId
          ? server.call('a', 'DELETE', `/api/delete-user/${id}/`, { token: who })
          : server.call('a', 'PUT', `/api/update-user/${id}/`, { token: who, body: { ...form, email } })
      const responses = await Promise.all([
        as(token, otherId, 'other-admin@a.example'),
        as(other, adminId, 'ada@a.example'),
      ])
      // The slower one is refused because no administrator would remain, or because its sender is no longer one.
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
      const admins = await server.database.transaction({ tenantId: 'a' }, (db) =>
        db.selectFrom('users').select('id').where('tenant_id', '=', 'a').where('role', '=', 'admin').execute(),
      )
      expect(admins).toHaveLength(1)
      await server.database.transaction({ tenantId: 'a' }, async (db) => {
        await db.updateTable('users').set({ role: 'admin' }).where('id', '=', adminId).execute()
        await db.deleteFrom('users').where('id', '=', Number(otherId)).execute()
      })
    }
  })
})

test('ending the sessions of a user signs out that user everywhere and no other user', async () => {
  const id = await create({ email: 'everywhere@a.example' })
  const first = (await login('everywhere@a.example', user.initialPassword)).body.access
  const second = (await login('everywhere@a.example', user.initialPassword)).body.access
  const recorded = await recordedBy(() => call('POST', `/end-user-sessions/${id}/`))
  expect(recorded).toMatchObject([{ actionType: 'user.end_sessions', details: { sessions: 2 } }])
  for (const access of [first, second])
    expect((await server.call('a', 'GET', '/api/verify-token/', { token: access })).status).toBe(401)
  expect((await call('GET', '/verify-token/')).status).toBe(200)
  expect(await recordedBy(() => call('POST', `/end-user-sessions/${id}/`))).toEqual([])
})

describe('a notification', () => {
  const mails = () =>
    server.database.transaction({ tenantId: 'a' }, (db) =>
      db
        .selectFrom('messages')
        .select(['recipient', 'subject', 'text', 'html'])
        .where('subject', '=', 'Message from Company a')
        .orderBy('recipient')
        .execute(),
    )

  test('goes to those who were chosen, once each, in the brand of the tenant', async () => {
    await create({ email: 'notified@a.example' })
    const recorded = await recordedBy(async () => {
      const body = {
        message: 'Down <at> noon\nfor an hour',
        users: ['notified@a.example', 'ADA@a.example', 'notified@a.example'],
      }
      const response = await call('POST', '/admin-notification/', body)
      expect([response.status, response.body]).toEqual([200, { message: 'Notification sent successfully' }])
    })
    const sent = await mails()
    expect(sent.map(({ recipient }) => recipient)).toEqual(['ada@a.example', 'notified@a.example'])
    expect(sent[0]?.text).toContain('Down <at> noon\nfor an hour')
    expect(sent[0]?.html).toContain('Down &lt;at&gt; noon')
    expect(recorded).toMatchObject([{ actionType: 'user.notify', actionPerformee: '2 users' }])
  })

  test('goes to no user when one of them is not of this tenant', async () => {
    const before = await mails()
    const body = { message: 'Hello', users: ['ada@a.example', 'bob@c.example'] }
    expect((await call('POST', '/admin-notification/', body)).status).toBe(400)
    expect((await call('POST', '/admin-notification/', { ...body, users: [] })).body.message).toBe(
      'users: Please select at least one user.',
    )
    expect(await mails()).toEqual(before)
  })
})
