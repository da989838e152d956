import { afterAll, beforeAll, expect, test } from 'vitest'
import { maxSavedViews, type NewView, type SavedView } from '#contract/saved-views.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
const tokens: Record<string, string> = {}

const addPerson = async (tenantId: string, name: string, group: string) => {
  const email = `${name}@${tenantId}.example`
  await server.addUser(tenantId, { email, username: group, role: name.startsWith('admin') ? 'admin' : 'user' })
  tokens[`${tenantId} ${name}`] = (await server.signIn(tenantId, email)).access
}

beforeAll(async () => {
  server = await startTestServer()
  for (const name of ['admin', 'admin2']) await addPerson('a', name, 'staff')
  for (const name of ['ada', 'bob']) await addPerson('a', name, 'north')
  for (const name of ['sue', 'admin4']) await addPerson('a', name, 'south')
  await addPerson('b', 'admin', 'staff')
})
afterAll(() => server.close())

const call = (who: string, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
  server.call(who.split(' ')[0] as string, method, `/api/saved-views/${path}`, {
    token: tokens[who] as string,
    ...(body && { body }),
  })

const view = (name: string, more: Partial<NewView> = {}): NewView => ({
  name,
  page: 'dashboard',
  state: { status: 'offline', q: 'city:nome' },
  audience: 'nobody',
  group: null,
  ...more,
})
const save = async (who: string, entered: NewView): Promise<SavedView> => {
  const { status, body } = await call(who, 'POST', '', entered)
  expect(status).toBe(200)
  return body
}
const listNames = async (who: string) =>
  (await call(who, 'GET', '')).body.views.map(({ name }: SavedView) => name) as string[]

test('a view is private to its owner, until an administrator shares one', async () => {
  await save('a ada', view('Mine 10'))
  await save('a ada', view('mine 9', { page: 'table', state: { columns: 'name,status', sort: 'status', desc: true } }))
  await save('a admin', view('For north', { audience: 'group', group: 'north' }))
  await save('a admin', view('For all', { audience: 'everyone' }))
  await save('a admin', view('Of admin'))
  expect(await listNames('a ada')).toEqual(['For all', 'For north', 'mine 9', 'Mine 10'])
  expect(await listNames('a bob')).toEqual(['For all', 'For north'])
  expect(await listNames('a sue')).toEqual(['For all'])
  expect(await listNames('a admin2')).toEqual(['For all', 'For north'])
  expect(await listNames('b admin')).toEqual([])
})

test('a view is not shared with the own group of the administrator who shares it with another', async () => {
  const { id } = await save('a admin4', view('Of the north', { audience: 'group', group: 'north' }))
  expect(await listNames('a bob')).toContain('Of the north')
  expect(await listNames('a sue')).not.toContain('Of the north')
  expect((await call('a admin4', 'DELETE', `${id}/`)).status).toBe(200)
})

test('only administrators share, and a group has to be named', async () => {
  expect((await call('a ada', 'POST', '', view('Shared', { audience: 'everyone' }))).status).toBe(403)
  expect((await call('a admin', 'POST', '', view('Shared', { audience: 'group' }))).status).toBe(400)
  const own = await save('a ada', view('Stays mine'))
  const shared = { ...view('Stays mine'), audience: 'everyone' }
  expect((await call('a ada', 'PUT', `${own.id}/`, shared)).status).toBe(403)
})

test('the owner changes and deletes a view, and administrators those that are shared', async () => {
  const own = await save('a bob', view('Of Bob'))
  for (const who of ['a ada', 'a admin', 'b admin']) {
    expect((await call(who, 'PUT', `${own.id}/`, view('Taken'))).status).toBe(404)
    expect((await call(who, 'DELETE', `${own.id}/`)).status).toBe(404)
  }
  const changed = await call('a bob', 'PUT', `${own.id}/`, view('Renamed', { state: { q: 'nome' } }))
  expect(changed).toMatchObject({ status: 200, body: { name: 'Renamed', state: { q: 'nome' }, isEditable: true } })
  const shared = await save('a admin', view('Team', { audience: 'group', group: 'north' }))
  expect((await call('a bob', 'PUT', `${shared.id}/`, view('Taken'))).status).toBe(404)
  expect((await call('a admin2', 'PUT', `${shared.id}/`, view('Team 2', { audience: 'everyone' }))).status).toBe(200)
  expect(await listNames('a sue')).toContain('Team 2')
  expect((await call('a admin2', 'DELETE', `${shared.id}/`)).status).toBe(200)
  expect((await call('a bob', 'DELETE', `${own.id}/`)).status).toBe(200)
  expect(await listNames('a bob')).not.toContain('Renamed')
})

test('somebody who was an administrator cannot change what they shared', async () => {
  await addPerson('a', 'admin3', 'north')
  const shared = await save('a admin3', view('By a former one', { audience: 'everyone' }))
  await server.database.transaction({ tenantId: 'a' }, (_, client) =>
    client.query("update users set role = 'user' where email = 'admin3@a.example'"),
  )
  expect((await call('a admin3', 'PUT', `${shared.id}/`, view('By a former one'))).status).toBe(404)
  expect((await call('a admin2', 'DELETE', `${shared.id}/`)).status).toBe(200)
})

test('names are unique for a user, and their number is limited, also at the same time', async () => {
  await addPerson('a', 'collector', 'north')
  await save('a collector', view('One'))
  expect(await call('a collector', 'POST', '', view('ONE'))).toMatchObject({
    status: 409,
    body: { message: 'There is a view with this name already.' },
  })
  const tries = Array.from({ length: maxSavedViews + 4 }, (_, at) =>
    call('a collector', 'POST', '', view(`View ${at}`)),
  )
  const statuses = (await Promise.all(tries)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 409)).toHaveLength(5)
  const { views } = (await call('a collector', 'GET', '')).body
  expect(views.filter(({ isOwn }: SavedView) => isOwn)).toHaveLength(maxSavedViews)
})

test('what is no state of a page is refused', async () => {
  for (const state of [{ map: 'somewhere' }, { status: 'lost' }, { other: 1 }, { q: 'x'.repeat(501) }])
    expect((await call('a ada', 'POST', '', { ...view('Broken'), state })).status).toBe(400)
  expect((await call('a ada', 'POST', '', view('x'.repeat(61)))).status).toBe(400)
  const located = { state: { map: '64.2,-149.49,4.5' } }
  expect((await save('a ada', view('Alaska', located))).state).toEqual(located.state)
})
