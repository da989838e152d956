import { afterAll, beforeAll, expect, test } from 'vitest'
import { assignGroup } from '../fleet/assign-group.ts'
import { findIncidentChanges, listIncidentEvents } from '../incidents/listed-events.ts'
import { judgeUntil } from '../incidents/testing/judge-until.ts'
import { startIncidentServer } from '../incidents/testing/start-incident-server.ts'

/** Three terminals of the south near Bethel that are lost at once, and one of the north in Juneau that works. */
const bethel = { place: 'Bethel', group: 'south' } as const
const lines = [bethel, bethel, bethel, { place: 'Juneau', group: 'north' }] as const
const { server, admin, north, at, inTenant, turn, ids } = await startIncidentServer({ minutesAgo: 60, lines })

beforeAll(async () => {
  await turn(ids.slice(0, 3), 'offline', 0)
  await judgeUntil(server.database, 'a', at(5))
})
afterAll(() => server.close())

const listTexts = async (token: string, query = '') => {
  const { status, body } = await server.call('a', 'GET', `/api/events/?kinds=incident${query}`, { token })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.events.map(({ name, text }: { name: string; text: string }) => `${name} ${text}`) as string[]
}
const post = async (id: string, path: string, body: object) => {
  const posted = await server.call('a', 'POST', `/api/incidents/${id}/${path}/`, { token: admin, body })
  expect(posted.status, JSON.stringify(posted.body)).toBe(200)
  return posted.body
}
const listIncidents = async () =>
  (await server.call('a', 'GET', '/api/incidents/?show=all', { token: admin })).body.incidents as {
    id: string
    place: string
  }[]
const findId = async (place: string) => (await listIncidents()).find((one) => one.place === place)?.id as string

test('what becomes of an incident is listed for everybody whom it concerns', async () => {
  const id = await findId('Bethel')
  await post(id, 'acknowledge', { note: 'On my way' })
  await post(id, 'snooze', { until: at(600).toISOString() })
  await post(id, 'snooze', { until: null })
  expect(await listTexts(admin)).toEqual([
    'Network outage around Bethel is no longer snoozed',
    'Network outage around Bethel was snoozed',
    'Network outage around Bethel was acknowledged by admin@mail.example',
    'Network outage around Bethel begins',
  ])
  // None of it concerns the north.
  expect(await listTexts(north)).toEqual([])
})

test('an incident that grows begins for those who join it, and what is put together by hand is listed', async () => {
  await turn(ids.slice(3), 'offline', 6)
  await judgeUntil(server.database, 'a', at(10))
  const [bethel, juneau] = [await findId('Bethel'), await findId('Juneau')]
  expect(await listTexts(north)).toEqual(['Outage: Juneau 3 begins'])
  await post(bethel, 'merge', { incidents: [juneau] })
  const joined = (await listTexts(north)).filter((text) => !text.startsWith('Outage'))
  expect(joined).toHaveLength(2)
  // Where the terminals of the others are is not for them.
  expect(joined.join()).not.toContain('Bethel')
  const { body } = await server.call('a', 'GET', `/api/incidents/${bethel}/`, { token: admin })
  await post(bethel, 'undo', { decision: body.decisions[0].id })
  const texts = await listTexts(admin)
  expect(texts.slice(0, 2)).toEqual([
    'Network outage around Bethel was split',
    'Network outage around Bethel was merged with another incident',
  ])
  // The incident does not concern them any more.
  expect(await listTexts(north)).toEqual(['Outage: Juneau 3 begins'])
})

test('what happened to a line goes with it to another customer', async () => {
  const line = '&terminal=Bethel%200'
  expect(await listTexts(admin, line)).not.toEqual([])
  await inTenant((db) => assignGroup(db, { tenantId: 'a', serviceLineNumbers: ['SL-0'], group: 'north' }))
  const own = await listTexts(north)
  expect(own.length).toBeGreaterThan(2)
  // Without the name of who acknowledged it.
  expect(own).toContain('Network outage around Bethel was acknowledged')
  expect(await listTexts(north, line)).toHaveLength((await listTexts(admin, line)).length)
  await inTenant((db) => assignGroup(db, { tenantId: 'a', serviceLineNumbers: ['SL-0'], group: 'south' }))
  expect(await listTexts(north)).toEqual(['Outage: Juneau 3 begins'])
})

test('an incident that ends, is reopened or gets another cause is listed', async () => {
  await turn(ids.slice(0, 3), 'online', 20)
  await judgeUntil(server.database, 'a', at(30))
  expect((await listTexts(admin))[0]).toBe('Network outage around Bethel is over')
  const id = await findId('Bethel')
  const found = findIncidentChanges(id, { cause: 'network', endedAtMs: null }, { cause: 'power', ended_at: at(20) })
  await inTenant((db) => listIncidentEvents(db, 'a', found, at(31)))
  expect((await listTexts(admin)).slice(0, 2)).toEqual([
    'Network outage around Bethel was reopened',
    'Network outage around Bethel was classified as “Power loss” before',
  ])
})
