import { afterAll, beforeAll, expect, test } from 'vitest'
import { rehearseIncidents } from './rehearse-incidents.ts'
import { judgeUntil } from './testing/judge-until.ts'
import { startIncidentServer } from './testing/start-incident-server.ts'

/** Four terminals near Bethel that are lost at once, and one in Juneau. */
const bethel = { place: 'Bethel', group: 'north' } as const
const lines = [bethel, bethel, bethel, bethel, { place: 'Juneau', group: 'north' }] as const
const started = await startIncidentServer({ minutesAgo: 60, lines })
const { server, north, at, inTenant, turn, ids } = started
let { admin } = started

beforeAll(async () => {
  await turn(ids, 'offline', 0)
  await judge(5)
})
afterAll(() => server.close())

const judge = (minutes: number) => judgeUntil(server.database, 'a', at(minutes))

const get = async (id: string, token = admin) =>
  (await server.call('a', 'GET', `/api/incidents/${id}/`, { token })).body
const list = async () =>
  (await server.call('a', 'GET', '/api/incidents/?show=all', { token: admin })).body.incidents.map(
    ({ id, terminals, place }: { id: string; terminals: number; place: string }) => ({ id, terminals, place }),
  ) as { id: string; terminals: number; place: string }[]
const find = async (place: string) => (await list()).find((incident) => incident.place === place) as { id: string }
const post = (id: string, path: string, body: object, token = admin) =>
  server.call('a', 'POST', `/api/incidents/${id}/${path}/`, { token, body })

test('an administrator merges incidents, which judging again leaves so, and takes it back', async () => {
  const before = await list()
  const [bethel, juneau] = [await find('Bethel'), await find('Juneau')]
  expect(before.map(({ terminals }) => terminals).sort()).toEqual([1, 4])
  expect((await post(bethel.id, 'merge', { incidents: [juneau.id] }, north)).status).toBe(403)
  // The smaller one remains, because the administrator chose it.
  expect((await post(juneau.id, 'merge', { incidents: [bethel.id] })).body).toMatchObject({ incident: juneau.id })
  expect(await list()).toMatchObject([{ id: juneau.id, terminals: 5 }])
  // A customer who was mailed a link to the part is led to the whole.
  for (const token of [admin, north])
    expect(await get(bethel.id, token)).toMatchObject({ mergedInto: juneau.id, incident: { id: juneau.id } })
  await judge(10)
  expect(await list()).toMatchObject([{ id: juneau.id, terminals: 5 }])
  expect((await post(bethel.id, 'merge', { incidents: [juneau.id] })).status).toBe(409)

  const { decisions } = await get(juneau.id)
  expect(decisions).toMatchObject([{ kind: 'merge', by: 'admin@mail.example', terminals: 5 }])
  expect((await get(juneau.id, north)).decisions).toEqual([])
  const asItWas = `/api/incidents/${juneau.id}/?at=${at(20).toISOString()}`
  expect((await server.call('a', 'GET', asItWas, { token: admin })).body).toMatchObject({ decisions: [] })
  const undo = { decision: decisions[0].id }
  expect((await post(juneau.id, 'undo', undo)).body).toMatchObject({ incident: juneau.id })
  expect((await list()).toSorted((one, other) => one.id.localeCompare(other.id))).toEqual(
    before.toSorted((one, other) => one.id.localeCompare(other.id)),
  )
  expect((await post(juneau.id, 'undo', undo)).status).toBe(404)
  const logged = await server.call('a', 'GET', '/api/get-logs/?limit=2', { token: admin })
  expect(logged.body).toMatchObject([
    { actionType: 'incident.undo' },
    { actionType: 'incident.merge', details: { merged: 'Network outage around Bethel' } },
  ])
})

test('an administrator takes a terminal out, which judging again leaves so, and takes it back', async () => {
  const { id } = await find('Bethel')
  const devices: string[] = (await get(id)).losses.map(({ deviceId }: { deviceId: string }) => deviceId)
  expect((await post(id, 'split', { terminals: devices })).status).toBe(400)
  expect((await post(id, 'split', { terminals: ['unknown'] })).status).toBe(400)
  const { incident: apart } = (await post(id, 'split', { terminals: devices.slice(0, 1) })).body
  await judge(15)
  expect(await get(apart)).toMatchObject({ incident: { terminals: 1, reach: 'terminal' }, losses: [{}] })
  expect(await get(id)).toMatchObject({ incident: { terminals: 3, cause: 'network' } })
  const { decisions } = await get(id)
  expect(decisions).toMatchObject([{ kind: 'split', terminals: 1 }])
  expect((await post(id, 'undo', { decision: decisions[0].id })).body).toMatchObject({ incident: id })
  expect(await get(id)).toMatchObject({ incident: { terminals: 4 }, decisions: [] })
  expect(await get(apart)).toMatchObject({ mergedInto: id })
})

test('only administrators regroup, and what two of them do at the same time happens once', async () => {
  const [bethel, juneau] = [await find('Bethel'), await find('Juneau')]
  const before = await list()
  const twice = async (path: string, id: string, body: object) => {
    const answers = await Promise.all([post(id, path, body), post(id, path, body)])
    return answers.map(({ status }) => status).toSorted()
  }
  const [device] = (await get(bethel.id)).losses as [{ deviceId: string }]
  const split = { terminals: [device.deviceId] }
  expect((await post(bethel.id, 'split', split, north)).status).toBe(403)
  expect(await list()).toEqual(before)
  expect(await twice('split', bethel.id, split)).toEqual([200, 400])
  const [decision, ...others] = (await get(bethel.id)).decisions
  expect(others).toEqual([])
  const undo = { decision: decision.id }
  expect((await post(bethel.id, 'undo', undo, north)).status).toBe(403)
  expect(await twice('undo', bethel.id, undo)).toEqual([200, 404])
  expect(await list()).toEqual(before)

  expect(await twice('merge', juneau.id, { incidents: [bethel.id] })).toEqual([200, 409])
  const { decisions } = await get(juneau.id)
  expect(decisions).toMatchObject([{ kind: 'merge', terminals: 5 }])
  expect(await twice('undo', juneau.id, { decision: decisions[0].id })).toEqual([200, 404])
  // Each into the other: the second is refused.
  const crossed = await Promise.all([
    post(juneau.id, 'merge', { incidents: [bethel.id] }),
    post(bethel.id, 'merge', { incidents: [juneau.id] }),
  ])
  expect(crossed.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const [whole] = await list()
  const [merge] = (await get((whole as { id: string }).id)).decisions
  expect((await post((whole as { id: string }).id, 'undo', { decision: merge.id })).status).toBe(200)
  expect((await list()).length).toBe(before.length)
})

test('judging the past again finds what is stored', async () => {
  const found = await inTenant((db) => rehearseIncidents(db, 'a', at(-60), at(16)))
  expect(found.map(({ title, terminals }) => [title, terminals]).sort()).toEqual([
    ['Network outage around Bethel', 4],
    ['Outage: Juneau 4', 1],
  ])
})

test('what ended long ago stays as it is', async () => {
  const [bethel, juneau] = [await find('Bethel'), await find('Juneau')]
  await turn(ids.slice(4), 'online', 20)
  await judge(25)
  server.clock.now = at(20 + 181)
  admin = (await server.signIn('a', 'admin@mail.example')).access
  expect((await post(bethel.id, 'merge', { incidents: [juneau.id] })).status).toBe(409)
})
