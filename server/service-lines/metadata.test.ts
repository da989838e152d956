import { afterAll, beforeAll, expect, test } from 'vitest'
import { addLine } from '../testing/add-line.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let tokens: Record<'admin' | 'writer' | 'reader' | 'nobody' | 'south' | 'other', string>

const addNamedLine = (tenantId: string, name: string, group: string) =>
  server.database.transaction({ tenantId }, (db) =>
    addLine(db, tenantId, { service_line_number: `SL-${name}`, nickname: name, group_name: group }),
  )

const addPerson = async (tenantId: string, name: string, group: string, metadata?: string) => {
  const email = `${name}@mail.example`
  await server.addUser(tenantId, { email, username: group, role: name === 'admin' ? 'admin' : 'user' })
  if (metadata)
    await server.database.transaction({ tenantId }, (_, client) =>
      client.query(
        `insert into feature_grants (tenant_id, user_id, item, value, changed_by, changed_at)
         select tenant_id, id, 'metadata', $2, 'test', now() from users where email = $1`,
        [email, metadata],
      ),
    )
  return (await server.signIn(tenantId, email)).access
}

beforeAll(async () => {
  server = await startTestServer()
  await addNamedLine('a', 'North One', 'north')
  await addNamedLine('a', 'South One', 'south')
  await addNamedLine('b', 'North One', 'north')
  tokens = {
    admin: await addPerson('a', 'admin', 'staff'),
    writer: await addPerson('a', 'writer', 'north', 'read_write'),
    reader: await addPerson('a', 'reader', 'north', 'read_only'),
    nobody: await addPerson('a', 'nobody', 'north'),
    south: await addPerson('a', 'south', 'south', 'read_write'),
    other: await addPerson('b', 'admin', 'staff'),
  }
})
afterAll(() => server.close())

const save = (who: keyof typeof tokens, line: string, value: unknown, field = 'metadata1', rest: object = {}) =>
  server.call(
    who === 'other' ? 'b' : 'a',
    'PATCH',
    `/api/service-lines/${encodeURIComponent(line)}/metadata/${field}/`,
    {
      token: tokens[who],
      body: { value, ...rest },
    },
  )

const stored = async (tenantId: string, nickname: string) =>
  (
    await server.database.transaction({ tenantId }, (_, client) =>
      client.query('select metadata1 from service_lines where nickname = $1', [nickname]),
    )
  ).rows[0].metadata1

const entries = async (tenantId: string) =>
  (
    await server.database.transaction({ tenantId }, (_, client) =>
      client.query("select details from audit_log where action = 'service_line.metadata' order by seq"),
    )
  ).rows.map(({ details }) => details)

test('trims, stores and returns a value, accepts letters of any script, and stores an empty value as null', async () => {
  expect(await save('writer', 'North One', '  Utqiaġvik 7  ')).toMatchObject({
    status: 200,
    body: { value: 'Utqiaġvik 7' },
  })
  expect(await stored('a', 'North One')).toBe('Utqiaġvik 7')
  expect(await save('writer', 'North One', '   ')).toMatchObject({ status: 200, body: { value: null } })
  expect(await stored('a', 'North One')).toBeNull()
  expect(await save('writer', 'North One', null)).toMatchObject({ status: 200, body: { value: null } })
})

test('refuses an invalid or too long value with a message that states the rule, and stores nothing', async () => {
  const refused = await save('writer', 'North One', 'a;b')
  expect(refused).toMatchObject({ status: 400 })
  expect(refused.body.message).toContain('Only letters, numbers, spaces, underscores, and dashes are accepted.')
  expect((await save('writer', 'North One', 'x'.repeat(61))).status).toBe(400)
  expect((await save('writer', 'North One', 'x', 'metadata4')).status).toBe(400)
  expect((await save('writer', 'North One', 7)).status).toBe(400)
  expect(await stored('a', 'North One')).toBeNull()
})

test('requires write permission, and returns the same error for a line of another group and an unknown line', async () => {
  expect((await save('nobody', 'North One', 'x')).status).toBe(403)
  expect((await save('reader', 'North One', 'x')).status).toBe(403)
  const foreign = await save('writer', 'South One', 'x')
  const unknown = await save('writer', 'No Such Line', 'x')
  expect(foreign.status).toBe(403)
  expect(unknown.body).toEqual(foreign.body)
  expect(await stored('a', 'South One')).toBeNull()
  expect((await save('admin', 'South One', 'x')).status).toBe(200)
  expect((await save('south', 'South One', null)).status).toBe(200)
})

test('accepts the kit number or service line number as the name, and refuses a number of another line', async () => {
  expect((await save('admin', 'KIT-SL-North One-1', 'by kit')).status).toBe(200)
  expect(await stored('a', 'North One')).toBe('by kit')
  expect((await save('admin', 'SL-North One', 'by number', 'metadata1', { sl: 'SL-North One' })).status).toBe(200)
  expect((await save('admin', 'North One', 'x', 'metadata1', { sl: 'SL-South One' })).status).toBe(400)
  expect(await stored('a', 'North One')).toBe('by number')
  expect(await stored('b', 'North One')).toBeNull()
})

test('records each change with the previous value, and records nothing when the value stays the same', async () => {
  await save('admin', 'North One', 'first')
  const before = (await entries('a')).length
  await save('admin', 'North One', 'second')
  await save('admin', 'North One', 'second')
  expect((await entries('a')).slice(before)).toEqual([
    { before: { metadata1: 'first' }, after: { metadata1: 'second' } },
  ])
  expect(await entries('b')).toEqual([])
})

test('the list with details shows the new value soon after the change', async () => {
  await save('admin', 'North One', 'seen at once')
  const values = async () =>
    (await server.call('a', 'GET', '/api/terminals/details/', { token: tokens.reader })).body.data.map(
      (item: { metadata1?: string }) => item.metadata1,
    )
  await expect.poll(values).toEqual(['seen at once'])
  const unseen = await server.call('a', 'GET', '/api/terminals/details/', { token: tokens.nobody })
  expect(Object.keys(unseen.body.data[0]).filter((key) => key.startsWith('metadata'))).toEqual([])
})
