import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD, startTestServer, type TestServer } from '../testing/server.ts'
import { impersonalColumns, personalPlaces } from './places.ts'

let server: TestServer
let superuser: pg.Client
let userId: number
let user: string
let admin: string

beforeAll(async () => {
  server = await startTestServer()
  superuser = await server.connectSuperuser()
  userId = await server.addUser('a', { email: 'bob@a.example', customerName: 'Bob Builder' })
  await server.addUser('a', { email: 'eve@a.example', customerName: 'Eve Other' })
  await server.addUser('a', { email: 'ada@a.example', role: 'admin' })
  await server.addUser('b', { email: 'bob@a.example', customerName: 'Bob of b' })
  user = (await server.signIn('a', 'bob@a.example')).access
  await server.signIn('a', 'eve@a.example')
  await server.signIn('b', 'bob@a.example')
  admin = (await server.signIn('a', 'ada@a.example')).access
})
afterAll(() => server.close())

const PERSONAL =
  /(^|_)(e?mail|name|nickname|phone|user|address|agent|performer|performee|recipient|reply|account|actor|device|customer|company|message|by)(_|$)/

const listColumns = async () => {
  const { rows } = await superuser.query<{ table: string; column: string }>(`
    select c.relname as table, a.attname as column from pg_attribute a
    join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p') and not c.relispartition
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    where a.attnum > 0 and not a.attisdropped
      and exists (select from pg_attribute where attrelid = c.oid and attname = 'tenant_id')`)
  return rows
}

test('every column that may hold data about users is listed, and every listed column exists', async () => {
  const columns = await listColumns()
  const isListed = ({ table, column }: { table: string; column: string }) =>
    personalPlaces[table]?.columns.includes(column) ||
    column in (personalPlaces[table]?.keys ?? {}) ||
    `${table}.${column}` in impersonalColumns
  const unlisted = columns.filter((each) => PERSONAL.test(each.column) && !isListed(each))
  expect(unlisted.map(({ table, column }) => `${table}.${column}`)).toEqual([])
  const known = new Set(columns.map(({ table, column }) => `${table}.${column}`))
  const listed = Object.entries(personalPlaces).flatMap(([table, { keys, columns: own }]) =>
    [...Object.keys(keys), ...own].map((column) => `${table}.${column}`),
  )
  expect([...listed, ...Object.keys(impersonalColumns)].filter((name) => !known.has(name))).toEqual([])
})

test('no column with a secret is exported', async () => {
  const exported = Object.values(personalPlaces).flatMap(({ columns }) => columns)
  expect(exported.filter((column) => /hash|secret|sealed|token|password/.test(column))).toEqual([])
})

test('a user gets what is stored about them, and nothing of others or of other tenants', async () => {
  await server.call('a', 'POST', '/api/change-phone-number/', { token: user, body: { phoneNumber: '907-555-0101' } })
  await server.call('a', 'POST', '/api/send-phone-code/', { token: user })
  await server.call('a', 'POST', '/api/user/login/', { body: { email: 'bob@a.example', password: 'Wrong-pass-1' } })
  const { status, body } = await server.call('a', 'GET', '/api/my-data/', { token: user })
  expect(status).toBe(200)
  expect(body).toMatchObject({ tenant: 'a', user: 'bob@a.example' })
  expect(body.tables.users).toMatchObject([{ email: 'bob@a.example', customer_name: 'Bob Builder' }])
  expect(body.tables.sessions).toHaveLength(1)
  expect(body.tables.notification_settings).toMatchObject([{ phone_number: '+19075550101' }])
  expect(body.tables.messages).toMatchObject(
    expect.arrayContaining([expect.objectContaining({ recipient: '+19075550101', text: '' })]) as never,
  )
  expect(body.tables.security_events.map(({ kind }: { kind: string }) => kind)).toContain('sign_in_failed')
  expect(body.tables.audit_log.map(({ action }: { action: string }) => action)).toContain('profile.notifications')
  const text = JSON.stringify(body)
  for (const foreign of ['eve@a.example', 'Eve Other', 'Bob of b', PASSWORD, 'argon2'])
    expect(text).not.toContain(foreign)
})

test('an administrator gets the same about a user of the tenant, and it is recorded', async () => {
  const { status, body } = await server.call('a', 'GET', `/api/user-data/${userId}/`, { token: admin })
  expect(status).toBe(200)
  expect(body.tables.users).toMatchObject([{ email: 'bob@a.example' }])
  expect((await server.call('a', 'GET', `/api/user-data/${userId}/`, { token: user })).status).toBe(403)
  expect((await server.call('a', 'GET', '/api/user-data/999999/', { token: admin })).status).toBe(404)
  const { rows } = await superuser.query(
    "select account, actor, details from security_events where tenant_id = 'a' and kind = 'export' order by id desc limit 1",
  )
  expect(rows).toEqual([{ account: 'bob@a.example', actor: 'ada@a.example', details: { what: 'personal data' } }])
})
