import { afterAll, beforeAll, expect, test } from 'vitest'
import { addApiToken } from '../testing/add-api-token.ts'
import { startBulkTenant } from './testing/bulk-tenant.ts'

const NORTH = 90

const tenant = await startBulkTenant(NORTH)
const { server, superuser, tokens, ids, addPerson, startBulkWorker, call, start, get, end, listEntries } = tenant

beforeAll(async () => {
  await addPerson('admin', 'staff', 'admin')
  await addPerson('writer', 'north', 'user', { metadata: 'read_write' })
  await addPerson('reader', 'north', 'user', { metadata: 'read_only' })
})
afterAll(tenant.close)

const setTo = (value: string | null, terminals = ids.north, field = 'metadata1') => ({
  terminals,
  change: { kind: 'metadata', field, value },
})
const read = async (field = 'metadata1') => {
  const { rows } = await superuser.query(
    `select ${field} as value, count(*)::int from service_lines where tenant_id = 'a' group by 1 order by 1 nulls first`,
  )
  return rows.map(({ value, count }) => [value, count])
}
const countEntries = async (bulk: string) => (await listEntries('service_line.metadata', bulk)).length

test('a preview says what changes, and nothing does', async () => {
  const { status, body } = await call('writer', 'POST', 'bulk-preview/', setTo('Dock 7'))
  expect(status).toBe(200)
  expect(body.counts).toEqual({ changing: NORTH, unchanged: 0, failed: 0 })
  expect(body.lines[0]).toEqual({ name: 'North 0', before: null, after: 'Dock 7', problem: null })
  const unchanged = await call('writer', 'POST', 'bulk-preview/', setTo(null))
  expect(unchanged.body.counts).toEqual({ changing: 0, unchanged: NORTH, failed: 0 })
  const missing = { terminals: [`${ids.north[0]}.9`], change: { kind: 'reboot' } }
  expect((await call('writer', 'POST', 'bulk-preview/', missing)).body.lines).toMatchObject([
    { problem: 'This line has no such terminal.' },
  ])
  expect(await read()).toEqual([[null, NORTH + 1]])
})

test('who may not change metadata, or see a terminal, changes nothing', async () => {
  expect((await call('reader', 'POST', 'bulk-changes/', setTo('x'))).status).toBe(403)
  expect((await call('writer', 'POST', 'bulk-changes/', setTo('x', [...ids.north, ...ids.south]))).status).toBe(403)
  expect((await call('writer', 'POST', 'bulk-changes/', setTo('x', ['999999']))).status).toBe(403)
  expect((await call('writer', 'POST', 'bulk-changes/', setTo('a;b'))).status).toBe(400)
  expect((await call('writer', 'POST', 'bulk-changes/', setTo('x', []))).status).toBe(400)
})

test('lines change in the background with one entry each, and undo restores what nobody has changed since', async () => {
  const id = await start('writer', setTo('Dock 7', [...ids.north, ids.north[0] as string]))
  expect(await get('writer', id)).toMatchObject({ state: 'running', counts: { waiting: NORTH } })
  expect((await call('admin', 'GET', `bulk-changes/${id}/`)).status).toBe(404)
  const stopWorker = startBulkWorker()
  await end('writer', id)
  expect(await get('writer', id)).toMatchObject({
    state: 'finished',
    canUndo: true,
    counts: { waiting: 0, done: NORTH, unchanged: 0, failed: 0 },
  })
  expect(await read()).toEqual([
    [null, 1],
    ['Dock 7', NORTH],
  ])
  expect(await countEntries(id)).toBe(NORTH)
  await superuser.query("update service_lines set metadata1 = 'By hand' where id = $1", [ids.north[3]])
  const undo = (await call('writer', 'POST', `bulk-changes/${id}/undo/`)).body.id as string
  await end('writer', undo)
  const undone = await get('writer', undo)
  expect(undone).toMatchObject({ isUndo: true, counts: { done: NORTH - 1, failed: 1 } })
  expect(undone.lines[0]).toMatchObject({ name: 'North 3', state: 'failed', problem: 'It was changed since.' })
  expect(await read()).toEqual([
    [null, NORTH],
    ['By hand', 1],
  ])
  await stopWorker()
})

test('whoever may not see metadata any more sees none in an earlier change either', async () => {
  const userId = await addPerson('once', 'north', 'user', { metadata: 'read_write' })
  const id = await start('once', setTo('Secret', ids.north.slice(0, 1)))
  expect((await get('once', id)).lines[0]).toMatchObject({ after: 'Secret' })
  await superuser.query("update feature_grants set value = 'cannot_see' where user_id = $1", [userId])
  expect((await get('once', id)).lines).toEqual([
    { name: 'North 0', state: 'waiting', before: null, after: null, problem: null },
  ])
  expect((await call('once', 'POST', `bulk-changes/${id}/stop/`)).status).toBe(200)
})

test('a worker that starts later continues a change, and a change that was stopped stays stopped', async () => {
  const left = await start('writer', setTo('Later', ids.north, 'metadata2'))
  const stopped = await start('writer', setTo('Never', ids.north, 'metadata2'))
  expect((await call('writer', 'POST', `bulk-changes/${stopped}/stop/`)).status).toBe(200)
  expect((await call('writer', 'POST', `bulk-changes/${stopped}/stop/`)).status).toBe(409)
  // As after a restore: jobs are not part of a backup.
  await superuser.query("delete from job_requests where queue = 'bulk'")
  await superuser.query("delete from jobs where queue = 'bulk'")
  const stopWorker = startBulkWorker()
  await end('writer', left)
  expect(await read('metadata2')).toEqual([
    [null, 1],
    ['Later', NORTH],
  ])
  expect(await get('writer', stopped)).toMatchObject({ state: 'stopped', counts: { waiting: NORTH, done: 0 } })
  await stopWorker()
})

test('an administrator who is demoted in the middle stops there', async () => {
  const userId = await addPerson('former', 'north', 'admin')
  const holder = await server.connectSuperuser()
  await holder.query('begin')
  await holder.query('select from service_lines where id = $1 for no key update', [ids.north[50]])
  const id = await start('former', setTo('Half', ids.north, 'metadata3'))
  const stopWorker = startBulkWorker()
  const countDone = async () =>
    (await superuser.query("select from bulk_lines where bulk_id = $1 and state = 'done'", [id])).rowCount
  await expect.poll(countDone).toBe(40)
  const isWaiting = async (text: string) =>
    ((
      await superuser.query('select from pg_stat_activity where wait_event_type = $1 and query ilike $2', [
        'Lock',
        text,
      ])
    ).rowCount ?? 0) > 0
  await expect.poll(() => isWaiting('%service_lines%for no key update%')).toBe(true)
  const form = { email: 'former@a.example', username: 'north', customerName: 'F', company: 'C', role: 'user' }
  const demoting = server.call('a', 'PUT', `/api/update-user/${userId}/`, { token: tokens.admin as string, body: form })
  await expect.poll(() => isWaiting('%users%')).toBe(true)
  await holder.query('commit')
  await holder.end()
  expect((await demoting).status).toBe(200)
  const findState = async () =>
    (await superuser.query('select state, problem from bulk_changes where id = $1', [id])).rows[0]
  await expect.poll(findState).toEqual({
    state: 'stopped',
    problem: 'You no longer have the rights that it began with.',
  })
  const done = await countDone()
  expect(done).toBeLessThan(NORTH)
  expect(await countEntries(id)).toBe(done)
  await stopWorker()
})

test('a change stops when the session that started it ends, and one of another session of its user continues', async () => {
  await addPerson('leaver', 'north', 'user', { metadata: 'read_write' })
  const left = await start('leaver', setTo('After the end'))
  const { access } = await server.signIn('a', 'leaver@a.example')
  expect((await call('leaver', 'POST', 'logout/')).status).toBe(200)
  tokens.leaver = access
  const other = await start('leaver', setTo('Goes on', ids.north.slice(0, 3)))
  const stopWorker = startBulkWorker()
  expect(await end('leaver', left)).toMatchObject({
    state: 'stopped',
    problem: 'The session that it was started in has ended.',
    counts: { waiting: NORTH, done: 0 },
  })
  expect(await end('leaver', other)).toMatchObject({ state: 'finished' })
  await stopWorker()
})

test('a change stops when its user must add a second factor first', async () => {
  await addPerson('bare', 'north', 'user', { metadata: 'read_write' })
  const left = await start('bare', setTo('Without a factor'))
  const setRequired = (isRequired: boolean) =>
    server.call('a', 'PATCH', '/api/tenant-settings/', {
      token: tokens.admin as string,
      body: { secondFactorForUsers: isRequired },
    })
  expect((await setRequired(true)).status).toBe(200)
  const stopWorker = startBulkWorker()
  const findState = async () =>
    (await superuser.query('select state from bulk_changes where id = $1', [left])).rows[0].state
  await expect.poll(findState).toBe('stopped')
  await stopWorker()
  expect((await setRequired(false)).status).toBe(200)
})

test.each([
  ['a user', 'mover', 'north', 'user', "group_name = 'south'"],
  ['an administrator', 'demoted', 'staff', 'admin', "role = 'user', group_name = 'north'"],
] as const)(
  'a change of %s stops when they see other terminals than at its start',
  async (_, name, group, role, set) => {
    const userId = await addPerson(name, group, role, { metadata: 'read_write' })
    const left = await start(name, setTo(`By ${name}`))
    await superuser.query(`update users set ${set} where id = $1`, [userId])
    const stopWorker = startBulkWorker()
    const findState = async () =>
      (await superuser.query('select state from bulk_changes where id = $1', [left])).rows[0].state
    await expect.poll(findState).not.toBe('running')
    await stopWorker()
    expect([await findState(), await countEntries(left)]).toEqual(['stopped', 0])
  },
)

test('a change that a token started names it in each entry, and stops when the token is revoked', async () => {
  const userId = await addPerson('scripted', 'north', 'user', { metadata: 'read_write' })
  const { id: tokenId, token } = await addApiToken(superuser, 'a', { userId, scopes: ['bulk:read', 'bulk:write'] })
  tokens.script = token
  const stopWorker = startBulkWorker()
  const done = await start('script', setTo('By script', ids.north.slice(0, 3)))
  await end('script', done)
  await stopWorker()
  const entries = [...(await listEntries('bulk.start', done)), ...(await listEntries('service_line.metadata', done))]
  expect(entries.map(({ token: name }) => name)).toEqual(['Script', 'Script', 'Script', 'Script'])
  const left = await start('script', setTo('After its end'))
  await superuser.query('update api_tokens set revoked_at = now() where id = $1', [tokenId])
  const stopLater = startBulkWorker()
  expect(await end('scripted', left)).toMatchObject({
    state: 'stopped',
    problem: 'You no longer have the rights that it began with.',
    counts: { waiting: NORTH, done: 0 },
  })
  await stopLater()
})
