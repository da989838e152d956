import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import type { IncidentCause } from '#contract/incident-cause.ts'
import { ensurePartitions, formatUtcDay } from '../telemetry/partitions.ts'
import { purgeIncidents } from './purge-incidents.ts'
import { judgeTenant } from './queue.ts'
import { startIncidentServer } from './testing/start-incident-server.ts'

/** Six terminals near Bethel, alternating between two groups. */
const groups = ['north', 'south', 'north', 'south', 'north', 'south'] as const
const lines = groups.map((group) => ({ place: 'Bethel', group }) as const)
const { server, admin, north, at, inTenant, turn, ids } = await startIncidentServer({ minutesAgo: 6 * 60, lines })
afterAll(() => server.close())

const judge = async (minutes: number) => {
  for (;;) {
    const { upTo } = await judgeTenant(server.database, 'a', at(minutes))
    if (upTo >= at(minutes)) return
  }
}

interface Answer {
  openCount: number
  incidents: { id: string; cause: IncidentCause; terminals: number; observed: number | null; endedAt: string | null }[]
}

const list = async (token: string, query = '?show=all'): Promise<Answer> =>
  (await server.call('a', 'GET', `/api/incidents/${query}`, { token })).body

test('terminals that are lost together are one incident, which ends when all are back', async () => {
  await turn(ids.slice(0, 4), 'offline', 0)
  await judge(4)
  const { openCount, incidents } = await list(admin, '')
  expect(openCount).toBe(1)
  expect(incidents).toMatchObject([
    { cause: 'network', reach: 'area', terminals: 4, observed: 6, place: 'Bethel', endedAt: null },
  ])
  expect((await list(admin, '?widespread=true')).incidents).toEqual(incidents)
  await turn(ids.slice(0, 4), 'online', 50)
  await judge(55)
  expect((await list(admin, '')).incidents).toEqual([])
  expect((await list(admin, '?widespread=true')).incidents).toEqual([])
  expect((await list(admin, '?widespread=true&show=all')).incidents).toHaveLength(1)
  expect((await list(admin)).incidents).toMatchObject([
    { id: incidents[0]?.id, cause: 'network', endedAt: at(50).toISOString(), back: 4 },
  ])
})

test('judging again changes nothing', async () => {
  const rows = () => inTenant((db) => sql`select *, xmin from incidents`.execute(db).then((result) => result.rows))
  const before = await rows()
  await judge(56)
  expect(await rows()).toEqual(before)
})

test('a user sees the incidents of the own group only, and no numbers about others', async () => {
  const { incidents } = await list(north)
  expect(incidents).toMatchObject([{ cause: 'network', terminals: 2, observed: null, center: null, radiusKm: null }])
  await turn([ids[1] as number], 'offline', 100)
  await judge(104)
  expect((await list(north, '')).openCount).toBe(0)
  const [hidden] = (await list(admin, '')).incidents
  expect((await list(admin, '?widespread=true')).incidents).toEqual([])
  const get = (token: string) => server.call('a', 'GET', `/api/incidents/${hidden?.id}/`, { token })
  expect((await get(north)).status).toBe(404)
  expect((await get(admin)).body.losses).toMatchObject([{ name: 'Bethel 1', nickname: 'Bethel 1', place: 'Bethel' }])
  expect((await list(admin, '?terminal=Bethel%201&show=all')).incidents).toHaveLength(2)
  expect((await list(admin, '?terminal=KIT-SL-5-1&show=all')).incidents).toHaveLength(0)
  await turn([ids[1] as number], 'online', 130)
  await judge(135)
})

test('at an earlier time, a user sees no incident that none of their terminals was part of yet', async () => {
  await turn([ids[3] as number], 'offline', 140)
  await judge(144)
  await turn([ids[2] as number], 'offline', 160)
  await judge(164)
  const [later, earlier] = (await list(admin, '')).incidents
  const merge = { token: admin, body: { incidents: [later?.id] } }
  expect((await server.call('a', 'POST', `/api/incidents/${earlier?.id}/merge/`, merge)).status).toBe(200)
  const query = (minutes: number) => `?at=${at(minutes).toISOString()}`
  expect((await list(admin, query(150))).incidents).toMatchObject([{ id: earlier?.id, terminals: 1 }])
  expect(await list(north, query(150))).toMatchObject({ openCount: 0, incidents: [] })
  expect(await list(north, query(170))).toMatchObject({ openCount: 1, incidents: [{ id: earlier?.id, terminals: 1 }] })
  const get = (minutes: number) =>
    server.call('a', 'GET', `/api/incidents/${earlier?.id}/${query(minutes)}`, { token: north })
  expect((await get(150)).status).toBe(404)
  expect((await get(170)).status).toBe(200)
  await turn(ids.slice(2, 4), 'online', 180)
  await judge(185)
})

test('what a terminal reports before and after decides', async () => {
  const id = ids[5] as number
  await ensurePartitions(server.database, [formatUtcDay(at(199).getTime()), formatUtcDay(at(231).getTime())])
  await inTenant(async (db) => {
    await sql`
      insert into samples (tenant_id, terminal_id, at, ping_drop, signal_quality, obstruction, uptime_s, alerts)
      values ('a', ${id}, ${at(199.9)}, 0, 0.97, 0, 90000, null),
        ('a', ${id}, ${at(229.9)}, 0, 0.97, 0, 20, array['power_disconnect_detected'])`.execute(db)
  })
  await turn([id], 'offline', 200)
  await judge(204)
  expect((await list(admin, '')).incidents).toMatchObject([{ cause: 'power', confidence: 0.6, lostPower: 0 }])
  await turn([id], 'online', 230)
  await judge(234)
  const [incident] = (await list(admin)).incidents
  expect(incident).toMatchObject({
    cause: 'power',
    confidence: 0.95,
    lostPower: 1,
    alerts: ['power_disconnect_detected'],
  })
})

test('an administrator acknowledges and snoozes, which the editing log shows', async () => {
  const [incident] = (await list(admin)).incidents
  const post = (path: string, body: object, token = admin) =>
    server.call('a', 'POST', `/api/incidents/${incident?.id}/${path}/`, { token, body })
  expect((await post('acknowledge', { note: 'Called them.' })).status).toBe(200)
  expect((await post('snooze', { until: at(500).toISOString() })).status).toBe(200)
  expect((await post('acknowledge', { note: 'x' }, north)).status).toBe(403)
  expect((await post('snooze', { until: null }, north)).status).toBe(403)
  // In UTC these are in the years 10000 and -1.
  for (const until of ['9999-12-31T23:59:59-12:00', '0000-01-01T00:00:00+12:00'])
    expect((await post('snooze', { until })).status).toBe(400)
  expect((await list(admin)).incidents[0]).toMatchObject({
    acknowledgedBy: 'admin@mail.example',
    note: 'Called them.',
    snoozedUntil: at(500).toISOString(),
  })
  const logged = await server.call('a', 'GET', '/api/get-logs/?limit=2', { token: admin })
  expect(logged.body).toMatchObject([
    { actionType: 'incident.snooze', actionPerformee: 'Power loss: Bethel 5' },
    { actionType: 'incident.acknowledge', details: { note: 'Called them.' } },
  ])
  const unknown = await server.call('a', 'GET', '/api/incidents/00000000-0000-4000-8000-000000000000/', {
    token: admin,
  })
  expect(unknown.status).toBe(404)
})

test('of two administrators who acknowledge at the same time, both are recorded and one is shown with their own note', async () => {
  const [incident] = (await list(admin)).incidents
  const acknowledge = (note: string) =>
    server.call('a', 'POST', `/api/incidents/${incident?.id}/acknowledge/`, { token: admin, body: { note } })
  const answers = await Promise.all([acknowledge('First.'), acknowledge('Second.')])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const logged = (await server.call('a', 'GET', '/api/get-logs/?limit=2', { token: admin })).body
  expect(logged.map(({ details }: { details: { note: string } }) => details.note).toSorted()).toEqual([
    'First.',
    'Second.',
  ])
  const { note } = (await list(admin)).incidents[0] as unknown as { note: string }
  expect(['First.', 'Second.']).toContain(note)
})

test('an earlier time shows what was open then, with what was known of its course', async () => {
  const at2 = (minutes: number) => `?at=${at(minutes).toISOString()}`
  expect((await list(admin, at2(-10))).incidents).toEqual([])
  const during = await list(admin, at2(20))
  expect(during.openCount).toBe(1)
  expect(during.incidents).toMatchObject([{ cause: 'network', terminals: 4, back: 0, endedAt: null }])
  expect((await list(north, at2(20))).incidents).toMatchObject([{ terminals: 2, observed: null }])
  expect((await list(admin, at2(60))).openCount).toBe(0)
  const later = await list(admin, `${at2(60)}&show=all`)
  expect(later.incidents).toMatchObject([{ endedAt: at(50).toISOString(), back: 4 }])
  // It was acknowledged after its end, by the clock of this test.
  expect((await list(admin, at2(210))).incidents).toMatchObject([{ cause: 'power', acknowledgedAt: null, note: '' }])
  expect((await server.call('a', 'GET', '/api/incidents/?at=2200-01-01T00:00:00Z', { token: admin })).status).toBe(400)
})

test('the outage of a terminal that leaves the account is over, and goes on if it returns', async () => {
  const id = ids[4] as number
  const setRemoved = (removedAt: Date | null) =>
    inTenant((db) => db.updateTable('terminals').set({ removed_at: removedAt }).where('id', '=', id).execute())
  const { openCount } = await list(admin, '')
  await turn([id], 'offline', 260)
  await judge(264)
  expect((await list(admin, '')).openCount).toBe(openCount + 1)
  await setRemoved(at(270))
  await judge(271)
  expect((await list(admin, '')).openCount).toBe(openCount)
  expect((await list(admin)).incidents[0]).toMatchObject({ endedAt: at(270).toISOString(), terminals: 1, back: 0 })
  await setRemoved(null)
  await judge(275)
  expect((await list(admin, '')).openCount).toBe(openCount + 1)
  await turn([id], 'online', 280)
  await judge(284)
  expect((await list(admin)).incidents[0]).toMatchObject({ endedAt: at(280).toISOString(), back: 1 })
})

test('losses that turn out to belong together are one incident, and the other leads to it', async () => {
  const late = ids.slice(0, 3)
  await turn([late[0] as number], 'offline', 300)
  await judge(304)
  const [first] = (await list(admin, '')).incidents
  // Reported later, though it happened at the same time.
  await turn([late[1] as number], 'offline', 300, 305)
  await judge(306)
  expect((await list(admin, '')).openCount).toBe(2)
  const second = (await list(admin, '')).incidents.find(({ id }) => id !== first?.id)
  await turn([late[2] as number, ids[3] as number], 'offline', 300, 307)
  await judge(308)
  const { incidents } = await list(admin, '')
  expect(incidents).toMatchObject([{ cause: 'network', terminals: 4 }])
  const merged = await Promise.all(
    [first, second].map((each) => server.call('a', 'GET', `/api/incidents/${each?.id}/`, { token: admin })),
  )
  expect(new Set(merged.map(({ body }) => body.mergedInto ?? body.incident.id))).toEqual(new Set([incidents[0]?.id]))
})

test('a past that becomes known later is judged too, and nothing twice', async () => {
  const { incidents: before } = await list(admin)
  // An hour before everything that is known.
  await inTenant((db) =>
    sql`insert into status_intervals (tenant_id, terminal_id, started_at, ended_at, status, disabled, noted_at)
      select 'a', id, at, at + interval '1 hour', status, false, at
      from unnest(${ids.slice(0, 5)}::bigint[]) as terminal (id), (values
        (${at(-3_400)}::timestamptz, 'online'), (${at(-3_340)}::timestamptz, 'offline'),
        (${at(-3_280)}::timestamptz, 'online')) as past (at, status)`.execute(db),
  )
  await inTenant((db) => db.deleteFrom('incident_progress').execute())
  await judge(310)
  const { incidents } = await list(admin)
  expect(incidents).toHaveLength(before.length + 1)
  expect(incidents.at(-1)).toMatchObject({ cause: 'network', terminals: 5, endedAt: at(-3_280).toISOString() })
  expect(incidents.slice(0, -1)).toEqual(before)
})

test('incidents that ended long ago are deleted with their losses', async () => {
  const { incidents } = await list(admin)
  const ended = incidents.filter(({ endedAt }) => endedAt !== null)
  const purge = (days: number) =>
    inTenant((db) => purgeIncidents(db, 'a', new Date(at(0).getTime() + days * 86_400_000)))
  await purge(390)
  expect((await list(admin)).incidents).toEqual(incidents)
  // The first time, what another one was merged into stays.
  await purge(402)
  await purge(402)
  expect((await list(admin)).incidents).toHaveLength(incidents.length - ended.length)
  const losses = await inTenant((db) => db.selectFrom('terminal_losses').select('back_at').execute())
  expect(losses.filter(({ back_at }) => back_at !== null)).toEqual([])
})

test('data that does not reach us is an incident for administrators, until it comes again', async () => {
  const credential = await inTenant((db) => db.selectFrom('vendor_credentials').select('id').executeTakeFirstOrThrow())
  const receive = (minutes: number) =>
    inTenant((db) =>
      db
        .insertInto('vendor_feeds')
        .values({ tenant_id: 'a', credential_id: credential.id, feed: 'telemetry', newest_sample_at: at(minutes) })
        .onConflict((clash) =>
          clash.columns(['tenant_id', 'credential_id', 'feed']).doUpdateSet({ newest_sample_at: at(minutes) }),
        )
        .execute(),
    )
  const find = async (token: string) => (await list(token)).incidents.filter(({ cause }) => cause === 'not observed')
  await receive(312)
  await judge(320)
  expect(await find(admin)).toEqual([])
  await judge(323)
  await judge(324)
  expect(await find(admin)).toMatchObject([{ terminals: 6, startedAt: at(312).toISOString(), endedAt: null }])
  expect(await find(north)).toEqual([])
  await receive(330)
  await judge(331)
  expect(await find(admin)).toMatchObject([{ endedAt: at(331).toISOString() }])
  await judge(342)
  expect(await find(admin)).toMatchObject([{ endedAt: null }, {}])
  await inTenant((db) =>
    db
      .updateTable('terminals')
      .set({ removed_at: at(342) })
      .execute(),
  )
  await judge(343)
  expect(await find(admin)).toMatchObject([{ endedAt: at(343).toISOString() }, {}])
})
