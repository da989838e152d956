import type { ServerResponse } from 'node:http'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { appendEvents } from '../platform/append-events.ts'
import type { Database } from '../platform/database/database.ts'
import { addLine } from '../testing/add-line.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { createLiveStreams } from './live.ts'
import { notifyLinesChanged } from './notify.ts'

interface Event {
  kind: 'feed' | 'changes' | 'events'
  revision: string
  terminals?: { id: string; nickname: string }[]
  changes?: { id: string; nickname?: string; metadata1?: string }[]
  removed?: string[]
}

let server: TestServer
let origin: string
const lines = new Map<string, number>()

const change = async (tenantId: string, nickname: string, set: string) =>
  server.database.transaction({ tenantId }, async (db, client) => {
    const id = lines.get(`${tenantId} ${nickname}`) as number
    await client.query(`update service_lines set ${set} where id = $1`, [id])
    await notifyLinesChanged(db, tenantId, [id])
  })

beforeAll(async () => {
  server = await startTestServer()
  for (const tenantId of ['a', 'b']) {
    await server.addUser(tenantId, { email: 'admin@mail.example', role: 'admin', username: 'staff' })
    await server.addUser(tenantId, { email: 'north@mail.example', username: 'north' })
    await server.database.transaction({ tenantId }, async (db) => {
      for (const group of ['north', 'south']) {
        const line = { service_line_number: group, group_name: group, terminals: [] }
        lines.set(`${tenantId} ${group}`, (await addLine(db, tenantId, line)).lineId)
      }
    })
  }
  origin = await server.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => server.close())

const follow = async (tenantId: string, who: string, since?: string, details = false) => {
  const { access } = await server.signIn(tenantId, `${who}@mail.example`)
  const stop = new AbortController()
  const response = await fetch(`${origin}/api/live/?details=${details}${since ? `&since=${since}` : ''}`, {
    headers: { authorization: `Bearer ${access}` },
    signal: stop.signal,
  })
  const events: Event[] = []
  const ended = (async () => {
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true })
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        const data = part.split('\n').find((line) => line.startsWith('data: '))
        if (data) events.push(JSON.parse(data.slice(6)))
      }
    }
  })().catch(() => {})
  await expect.poll(() => events.length).toBeGreaterThan(0)
  return { response, events, ended, access, stop: () => stop.abort() }
}

const listNicknames = (events: Event[]) =>
  events.flatMap(({ terminals = [], changes = [] }) => [...terminals, ...changes].map(({ nickname }) => nickname))
const until = (check: () => unknown, expected: unknown) => expect.poll(check).toEqual(expected)

test('a stream starts with the revision of the list and sends only changes that its user may see', async () => {
  const admin = await follow('a', 'admin')
  const north = await follow('a', 'north')
  const other = await follow('b', 'admin')
  expect(admin.response.headers.get('content-type')).toContain('text/event-stream')
  const list = await server.call('a', 'GET', '/api/terminals/', { token: admin.access })
  expect(admin.events[0]).toEqual({ kind: 'feed', revision: list.body.revision, ageS: null })

  await change('a', 'south', "nickname = 'South renamed'")
  await until(() => listNicknames(admin.events), ['South renamed'])
  await change('a', 'north', "nickname = 'North renamed'")
  await until(() => listNicknames(admin.events), ['South renamed', 'North renamed'])
  await until(() => listNicknames(north.events), ['North renamed'])
  expect(listNicknames(other.events)).toEqual([])
  const after = await server.call('a', 'GET', '/api/terminals/', { token: north.access })
  expect(north.events.at(-1)?.revision).toBe(after.body.revision)
  for (const stream of [admin, north, other]) stream.stop()
})

test('a line that leaves a group is removed for the users of the group and stays for the administrator', async () => {
  const admin = await follow('a', 'admin')
  const north = await follow('a', 'north')
  await change('a', 'north', "group_name = 'south'")
  const id = String(lines.get('a north'))
  await until(() => north.events.flatMap((event) => event.removed ?? []), [id])
  expect(admin.events.flatMap((event) => event.removed ?? [])).toEqual([])
  await change('a', 'north', "group_name = 'north'")
  await until(() => north.events.flatMap((event) => event.terminals?.map((item) => item.id) ?? []), [id])
  for (const stream of [admin, north]) stream.stop()
})

test('what happened is announced to those who can see it', async () => {
  const admin = await follow('a', 'admin')
  const north = await follow('a', 'north')
  const other = await follow('b', 'admin')
  const happen = (group: string) =>
    server.database.transaction({ tenantId: 'a' }, (db) =>
      appendEvents(db, 'a', [
        {
          ...{ type: 'command.requested', at: new Date() },
          subject: { lineId: lines.get(`a ${group}`) as number, commandId: 1 },
        },
      ]),
    )
  const countAnnounced = ({ events }: { events: Event[] }) => events.filter(({ kind }) => kind === 'events').length
  await happen('south')
  await until(() => countAnnounced(admin), 1)
  expect(countAnnounced(north)).toBe(0)
  await happen('north')
  await until(() => countAnnounced(north), 1)
  await until(() => countAnnounced(admin), 2)
  expect(countAnnounced(other)).toBe(0)
  for (const stream of [admin, north, other]) stream.stop()
})

test('a client that reconnects gets the changes since a known revision, or only the current revision', async () => {
  const first = await follow('a', 'admin')
  const since = first.events[0]?.revision as string
  first.stop()
  await change('a', 'south', "nickname = 'While away'")
  const { access } = first
  await expect
    .poll(async () => (await server.call('a', 'GET', '/api/terminals/', { token: access })).body.revision)
    .not.toBe(since)
  const back = await follow('a', 'admin', since)
  await until(() => listNicknames(back.events), ['While away'])
  const stranger = await follow('a', 'admin', 'another-process.7')
  expect(stranger.events).toEqual([{ kind: 'feed', revision: back.events.at(-1)?.revision, ageS: null }])
  for (const stream of [back, stranger]) stream.stop()
})

test('a stream ends when its session ends', async () => {
  const north = await follow('a', 'north')
  const other = await follow('b', 'north')
  await server.call('a', 'POST', '/api/logout/', { token: north.access, body: {} })
  await north.ended
  expect(other.response.body?.locked).toBe(true)
  await change('b', 'north', "nickname = 'Still connected'")
  await until(() => listNicknames(other.events), ['Still connected'])
  other.stop()
})

test('a stream ends when its user has to change the password', async () => {
  await server.addUser('a', { email: 'reset@mail.example' })
  const { ended, access } = await follow('a', 'reset')
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
  const stream = await follow('b', 'provider')
  const revision = stream.events.at(-1)?.revision
  await server.database.transaction({ tenantId: 'b' }, (_, client) =>
    client.query(
      `with changed as (update users set must_change_password = true where email = $1 returning id)
       update sessions set is_single_sign_on = true from changed where user_id = changed.id`,
      [email],
    ),
  )
  // Another stream that ends shows that the rights were read meanwhile.
  const other = await follow('b', 'admin')
  await server.database.transaction({ tenantId: 'b' }, (_, client) =>
    client.query(
      "update sessions set ended_at = now() where user_id = (select id from users where email = 'admin@mail.example')",
    ),
  )
  await other.ended
  await change('b', 'north', "nickname = 'Renamed for the provider'")
  await expect.poll(() => stream.events.at(-1)?.revision).not.toBe(revision)
  stream.stop()
})

test('a stream ends when its user moves to another group', async () => {
  const north = await follow('a', 'north')
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

test('a change with details has only the changed fields, and metadata only for users who may see it', async () => {
  const admin = await follow('b', 'admin', undefined, true)
  const north = await follow('b', 'north', undefined, true)
  const list = await follow('b', 'admin')
  await change('b', 'north', "metadata1 = 'Dock 4'")
  const id = String(lines.get('b north'))
  await until(() => admin.events.flatMap(({ changes }) => changes ?? []), [{ id, metadata1: 'Dock 4' }])
  const revision = admin.events.at(-1)?.revision
  await until(() => north.events.at(-1)?.revision, revision)
  await until(() => list.events.at(-1)?.revision, revision)
  expect([north, list].flatMap(({ events }) => events.flatMap(({ changes }) => changes ?? []))).toEqual([])
  for (const stream of [admin, north, list]) stream.stop()
})

test('a stream with details ends when its user gains or loses the permission to see metadata', async () => {
  const north = await follow('b', 'north', undefined, true)
  await setMetadata('north@mail.example', 'read_only')
  await north.ended
  const reconnected = await follow('b', 'north', undefined, true)
  await change('b', 'north', "metadata1 = 'Dock 5'")
  await until(
    () => reconnected.events.flatMap(({ changes }) => changes?.map(({ metadata1 }) => metadata1) ?? []),
    ['Dock 5'],
  )
  reconnected.stop()
})

const findSessionId = (access: string): string => {
  const [, claims = ''] = access.split('.')
  return JSON.parse(Buffer.from(claims, 'base64url').toString()).session
}

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
  // The late stream joins when the sessions of the others have been read, and before any of them is dropped.
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

test('sends nothing to a client that does not read, and everything it missed in one event when it reads', async () => {
  const { fleet } = server.services
  const tenantId = 'b'
  const { access } = await server.signIn(tenantId, 'admin@mail.example')
  const senderId = findSessionId(access)
  const sent: string[] = []
  let read: (() => void) | undefined
  const reader = new Writable({
    highWaterMark: 1,
    decodeStrings: false,
    write: (text, _encoding, taken) => {
      sent.push(text)
      read = taken
    },
  })
  const snapshot = await fleet.snapshot(tenantId)
  const view = { group: undefined, details: false, metadata: false }
  const response = reader as unknown as ServerResponse
  await fleet.live.subscribe({ tenantId, senderId, view, snapshot, since: undefined, response })
  for (const nickname of ['One', 'Two', 'Three']) {
    const before = snapshot.revision(view)
    await change(tenantId, 'south', `nickname = '${nickname}'`)
    await expect.poll(() => snapshot.revision(view)).not.toBe(before)
    fleet.live.notifyChanged(tenantId)
  }
  expect(sent).toHaveLength(1)
  expect(reader.writableLength).toBeLessThan(200)
  read?.()
  await expect.poll(() => sent.length).toBe(2)
  expect(sent[1]).toContain('"nickname":"Three"')
  expect(sent[1]).not.toContain('One')
  reader.destroy()
})
