import type { ServerResponse } from 'node:http'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { appendEvents } from '../platform/append-events.ts'
import {
  findSessionId,
  type LiveEvent,
  type LiveServer,
  listNicknames,
  startLiveServer,
  until,
} from './testing/live-server.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startLiveServer()
})
afterAll(() => server.close())

test('a stream starts with the revision of the list and sends only changes that its user may see', async () => {
  const admin = await server.follow('a', 'admin')
  const north = await server.follow('a', 'north')
  const other = await server.follow('b', 'admin')
  expect(admin.response.headers.get('content-type')).toContain('text/event-stream')
  const list = await server.call('a', 'GET', '/api/terminals/', { token: admin.access })
  expect(admin.events[0]).toEqual({ kind: 'feed', revision: list.body.revision, ageS: null })

  await server.change('a', 'south', "nickname = 'South renamed'")
  await until(() => listNicknames(admin.events), ['South renamed'])
  await server.change('a', 'north', "nickname = 'North renamed'")
  await until(() => listNicknames(admin.events), ['South renamed', 'North renamed'])
  await until(() => listNicknames(north.events), ['North renamed'])
  expect(listNicknames(other.events)).toEqual([])
  const after = await server.call('a', 'GET', '/api/terminals/', { token: north.access })
  expect(north.events.at(-1)?.revision).toBe(after.body.revision)
  for (const stream of [admin, north, other]) stream.stop()
})

test('a clock that is set back by hours stops no stream', async () => {
  const admin = await server.follow('a', 'admin')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 5 * 3_600_000 })
  try {
    await server.change('a', 'south', "nickname = 'Set back'")
    await until(() => listNicknames(admin.events), ['Set back'])
  } finally {
    vi.useRealTimers()
  }
  admin.stop()
})

test('a line that leaves a group is removed for the users of the group and stays for the administrator', async () => {
  const admin = await server.follow('a', 'admin')
  const north = await server.follow('a', 'north')
  await server.change('a', 'north', "group_name = 'south'")
  const id = String(server.findLine('a', 'north'))
  await until(() => north.events.flatMap((event) => event.removed ?? []), [id])
  expect(admin.events.flatMap((event) => event.removed ?? [])).toEqual([])
  await server.change('a', 'north', "group_name = 'north'")
  await until(() => north.events.flatMap((event) => event.terminals?.map((item) => item.id) ?? []), [id])
  for (const stream of [admin, north]) stream.stop()
})

test('what happened is announced to those who can see it', async () => {
  const admin = await server.follow('a', 'admin')
  const north = await server.follow('a', 'north')
  const other = await server.follow('b', 'admin')
  const happen = (group: string) =>
    server.database.transaction({ tenantId: 'a' }, (db) =>
      appendEvents(db, 'a', [
        {
          type: 'command.requested',
          at: new Date(),
          subject: { lineId: server.findLine('a', group), commandId: 1 },
        },
      ]),
    )
  const countAnnounced = ({ events }: { events: LiveEvent[] }) => events.filter(({ kind }) => kind === 'events').length
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
  const first = await server.follow('a', 'admin')
  const since = first.events[0]?.revision as string
  first.stop()
  await server.change('a', 'south', "nickname = 'While away'")
  const { access } = first
  await expect
    .poll(async () => (await server.call('a', 'GET', '/api/terminals/', { token: access })).body.revision)
    .not.toBe(since)
  const back = await server.follow('a', 'admin', since)
  await until(() => listNicknames(back.events), ['While away'])
  const stranger = await server.follow('a', 'admin', 'another-process.7')
  expect(stranger.events).toEqual([{ kind: 'feed', revision: back.events.at(-1)?.revision, ageS: null }])
  for (const stream of [back, stranger]) stream.stop()
})

test('a change with details has only the changed fields, and metadata only for users who may see it', async () => {
  const admin = await server.follow('b', 'admin', undefined, true)
  const north = await server.follow('b', 'north', undefined, true)
  const list = await server.follow('b', 'admin')
  await server.change('b', 'north', "metadata1 = 'Dock 4'")
  const id = String(server.findLine('b', 'north'))
  await until(() => admin.events.flatMap(({ changes }) => changes ?? []), [{ id, metadata1: 'Dock 4' }])
  const revision = admin.events.at(-1)?.revision
  await until(() => north.events.at(-1)?.revision, revision)
  await until(() => list.events.at(-1)?.revision, revision)
  expect([north, list].flatMap(({ events }) => events.flatMap(({ changes }) => changes ?? []))).toEqual([])
  for (const stream of [admin, north, list]) stream.stop()
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
    await server.change(tenantId, 'south', `nickname = '${nickname}'`)
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
