import type { ServerResponse } from 'node:http'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../platform/database/database.ts'
import { createLiveStreams } from './live.ts'
import { findSessionId, type LiveServer, listNicknames, startLiveServer, until } from './testing/live-server.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startLiveServer()
})
afterAll(() => server.close())

test('a stream ends when its session ends', async () => {
  const north = await server.follow('a', 'north')
  const other = await server.follow('b', 'north')
  await server.call('a', 'POST', '/api/logout/', { token: north.access, body: {} })
  await north.ended
  expect(other.response.body?.locked).toBe(true)
  await server.change('b', 'north', "nickname = 'Still connected'")
  await until(() => listNicknames(other.events), ['Still connected'])
  other.stop()
})

test('a stream of an API token ends when the token is revoked', async () => {
  const { access } = await server.signIn('a', 'admin@mail.example')
  const form = { name: 'Wall', scopes: ['terminals:read'], expiresInDays: 30, networks: [] }
  const create = async () => (await server.call('a', 'POST', '/api/my-tokens/', { token: access, body: form })).body
  const [revoked, other] = [await create(), await create()]
  const stream = await server.open(revoked.token)
  const open = await server.open(other.token)
  await server.call('a', 'DELETE', `/api/my-tokens/${revoked.created.id}/`, { token: access })
  await stream.ended
  await server.change('a', 'north', "nickname = 'Seen with another token'")
  await until(() => listNicknames(open.events), ['Seen with another token'])
  open.stop()
})

test('a stream ends when its user has to change the password', async () => {
  await server.addUser('a', { email: 'reset@mail.example' })
  const { ended, access } = await server.follow('a', 'reset')
  await server.database.transaction({ tenantId: 'a' }, (db) =>
    db.updateTable('users').set({ must_change_password: true }).where('email', '=', 'reset@mail.example').execute(),
  )
  await ended
  const again = await server.call('a', 'GET', '/api/live/', { token: access })
  expect(again).toMatchObject({ status: 403, body: { error: 'change_password' } })
})

test('a stream of single sign-on stays open though the password has to be changed', async () => {
  const email = 'provider@mail.example'
  await server.addUser('b', { email, username: 'north' })
  const stream = await server.follow('b', 'provider')
  const revision = stream.events.at(-1)?.revision
  await server.database.transaction({ tenantId: 'b' }, (_, client) =>
    client.query(
      `with changed as (update users set must_change_password = true where email = $1 returning id)
       update sessions set is_single_sign_on = true from changed where user_id = changed.id`,
      [email],
    ),
  )
  // A different stream that ends shows that the rights were read meanwhile.
  const other = await server.follow('b', 'admin')
  await server.database.transaction({ tenantId: 'b' }, (_, client) =>
    client.query(
      "update sessions set ended_at = now() where user_id = (select id from users where email = 'admin@mail.example')",
    ),
  )
  await other.ended
  await server.change('b', 'north', "nickname = 'Renamed for the provider'")
  await expect.poll(() => stream.events.at(-1)?.revision).not.toBe(revision)
  stream.stop()
})

test('a stream ends when its user moves to another group', async () => {
  const north = await server.follow('a', 'north')
  await server.database.transaction({ tenantId: 'a' }, (_, client) =>
    client.query("update users set group_name = 'south' where email = 'north@mail.example'"),
  )
  await north.ended
})

const setMetadata = (email: string, level: string) =>
  server.database.transaction({ tenantId: 'b' }, (_, client) =>
    client.query(
      `insert into feature_grants (tenant_id, user_id, item, value, changed_by, changed_at)
       select tenant_id, id, 'metadata', $2, 'test', now() from users where email = $1
       on conflict (tenant_id, user_id, item) do update set value = excluded.value`,
      [email, level],
    ),
  )

test('a stream with details ends when its user gains or loses the permission to see metadata', async () => {
  const north = await server.follow('b', 'north', undefined, true)
  await setMetadata('north@mail.example', 'read_only')
  await north.ended
  const reconnected = await server.follow('b', 'north', undefined, true)
  await server.change('b', 'north', "metadata1 = 'Dock 5'")
  await until(
    () => reconnected.events.flatMap(({ changes }) => changes?.map(({ metadata1 }) => metadata1) ?? []),
    ['Dock 5'],
  )
  reconnected.stop()
})

test('a stream that opens while the others are checked stays open', async () => {
  const tenantId = 'b'
  const view = { group: undefined, details: false, metadata: false }
  const snapshot = await server.services.fleet.snapshot(tenantId)
  const { access } = await server.signIn(tenantId, 'admin@mail.example')
  const open = (senderId: string) => {
    const response = new Writable({ write: (_text, _encoding, taken) => taken() }) as unknown as ServerResponse
    return { response, subscriber: { tenantId, senderId, view, snapshot, since: undefined, response } }
  }
  const ended = open('00000000-0000-4000-8000-000000000000')
  const late = open(findSessionId(access))
  let joined: Promise<void> | undefined
  // The late stream joins after the sessions of the others have been read, and before any of them is dropped.
  const transaction: Database['transaction'] = async (scope, work) => {
    const result = await server.database.transaction(scope, work)
    if (result instanceof Set) {
      joined ??= live.subscribe(late.subscriber)
      await joined
    }
    return result
  }
  const live = createLiveStreams({
    database: { ...server.database, transaction },
    log: server.app.log,
    now: () => new Date(),
  })
  await live.subscribe(ended.subscriber)
  await expect.poll(() => ended.response.writableEnded).toBe(true)
  expect(joined).toBeDefined()
  expect(late.response.writableEnded).toBe(false)
  live.close()
})
