import { afterAll, expect, test } from 'vitest'
import { formatDateTime } from '#contract/format/times.ts'
import type { ShareKind } from '#contract/share-links.ts'
import { findMarks } from '../testing/marks.ts'
import { seedSplitIncident } from '../testing/seed-incident.ts'
import { CONTENT_CACHE } from './shared-page.ts'
import { startSharing } from './testing/start-sharing.ts'

const { tenants, admin, create, open, listActions } = await startSharing()
afterAll(() => tenants.close())

test('a link shows its terminal, incident or report, and nothing else', async () => {
  const { lines, findReport } = tenants
  const subjects: [ShareKind, string][] = [
    ['terminal', lines.north.line],
    ['incident', lines.north.incident],
    ['report', await findReport()],
  ]
  for (const [kind, subject] of subjects) {
    const { path } = await create(kind, subject)
    const { status, headers, body } = await open(path)
    expect([kind, status]).toEqual([kind, 200])
    expect([...new Set(findMarks(body))]).toEqual(['north'])
    expect(body.replace(/<style>.*<\/style>/s, '')).not.toMatch(/@|<script|<a /)
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': expect.stringContaining('noindex'),
    })
    // The same link at another tenant, and as a token, is not valid.
    expect((await open(path, 'b')).status).toBe(404)
    const token = path.replace(/^.*\//, '')
    expect((await tenants.call('a', 'GET', '/api/terminals/', { token })).status).toBe(401)
  }
  expect(await listActions()).toEqual(Array(3).fill(['share_link.open', 'share_link.create']).flat())
})

test('a terminal is down since it stopped working, whatever it reports meanwhile', async () => {
  const { lines, superuser } = tenants
  const line = lines.north.line
  const { path } = await create('terminal', line)
  const terminal = `select terminals.id from terminals join service_lines as line on line.id = service_line_id
    where terminals.tenant_id = 'a' and line.nickname = $1 and terminals.removed_at is null`
  await superuser.query(`delete from status_intervals where tenant_id = 'a' and terminal_id in (${terminal})`, [line])
  await superuser.query(
    `insert into status_intervals (tenant_id, terminal_id, started_at, ended_at, noted_at, status, disabled)
     select 'a', terminal.id, now() - hours * interval '1 hour', now() - until * interval '1 hour', now(), status, disabled
     from (${terminal}) as terminal, (values (30, 9, 'online', false), (9, 8, 'offline', true), (8, 6, 'online', true),
       (6, null, 'no data', true)) as turn (hours, until, status, disabled)`,
    [line],
  )
  const { rows } = await superuser.query<{ lost: Date; zone: string | null }>(
    `select started_at as lost, (select time_zone from tenant_settings where tenant_id = 'a') as zone
     from status_intervals where tenant_id = 'a' and status = 'offline' and terminal_id in (${terminal})`,
    [line],
  )
  const [{ lost, zone }] = rows as [{ lost: Date; zone: string | null }]
  expect((await open(path)).body).toContain(`since ${formatDateTime(lost, zone ?? 'UTC')}`)
})

test('a link shows what a view selects at the time, and ends with the view', async () => {
  const { lines, addSavedView, superuser } = tenants
  const id = await addSavedView()
  const setState = (state: object, audience: string, group: string | null) =>
    superuser.query('update saved_views set state = $2, audience = $3, group_name = $4 where id = $1', [
      id,
      state,
      audience,
      group,
    ])
  await setState({ q: lines.north.line }, 'everyone', null)
  const { path } = await create('view', id)
  const findShown = async () => [...new Set(findMarks((await open(path)).body))]
  expect(await findShown()).toEqual(['north'])
  await setState({ q: `line:${lines.south.serviceLine}` }, 'everyone', null)
  expect(await findShown()).toEqual(['south'])
  // Whatever the search, a view for a group shows nothing of other groups.
  await setState({}, 'group', 'north')
  expect(await findShown()).toEqual(['north'])
  await setState({ q: `name:${lines.south.line}` }, 'group', 'north')
  expect(await findShown()).toEqual([])
  await setState({ status: 'disabled', q: lines.north.line }, 'nobody', null)
  expect(await findShown()).toEqual([])
  // A private view of another administrator.
  await superuser.query('update saved_views set owner_id = $2, state = $3 where id = $1', [
    id,
    tenants.users.mustChange.id,
    {},
  ])
  expect((await open(path)).status).toBe(404)
  const body = { kind: 'view', subject: id, days: 7, passPhrase: null }
  expect((await tenants.call('a', 'POST', '/api/share-links/', { token: admin, body })).status).toBe(404)
  await superuser.query('delete from saved_views where id = $1', [id])
  expect((await open(path)).status).toBe(404)
})

test('a link to the view of a group never shows more than this group sees', async () => {
  const id = await tenants.addSavedView()
  const { path } = await create('view', id)
  const share = (audience: string, group: string | null) =>
    tenants.superuser.query(`update saved_views set state = '{}', audience = $2, group_name = $3 where id = $1`, [
      id,
      audience,
      group,
    ])
  await share('group', 'north')
  expect([...new Set(findMarks((await open(path)).body))]).toEqual(['north'])
  for (const [audience, group] of [
    ['everyone', null],
    ['group', 'south'],
    ['nobody', null],
  ] as const) {
    await share(audience, group)
    expect((await open(path)).status).toBe(404)
  }
  await share('group', 'north')
  expect((await open(path)).status).toBe(200)
})

test('a link to a view shows where a vessel is, not the address of its owner', async () => {
  const { lines, superuser } = tenants
  const { path } = await create('view', await tenants.addSavedView())
  const setLine = (isMobile: boolean, city: string) =>
    superuser.query(
      `update service_lines set is_mobile = $2, city = $3, state = 'AK', latitude = 57.6, longitude = -152.2
       where tenant_id = 'a' and service_line_number = $1`,
      [lines.north.serviceLine, isMobile, city],
    )
  const readPage = async () => {
    tenants.clock.now = new Date(tenants.clock.now.getTime() + CONTENT_CACHE.lifetimeMs)
    return (await open(path)).body
  }
  const start = tenants.clock.now
  await setLine(false, 'Owner Town')
  expect(await readPage()).toContain('Owner Town, AK')
  await setLine(true, 'Owner Town')
  const page = await readPage()
  expect(page).toContain('57.60° N, 152.20° W')
  expect(page).not.toContain('Owner Town')
  await setLine(false, lines.north.line)
  tenants.clock.now = start
})

test('a link to an incident has the present verdict in its heading, and follows a merge', async () => {
  const { lines, superuser, clock } = tenants
  const { path } = await create('incident', lines.north.incident)
  const findHeading = async () => {
    clock.now = new Date(clock.now.getTime() + CONTENT_CACHE.lifetimeMs)
    const { body } = await open(path)
    return [/<h1>(.*?)<\/h1>/s.exec(body)?.[1], /<dt>Terminals<\/dt><dd>(\d+)/.exec(body)?.[1]]
  }
  const start = clock.now
  expect(await findHeading()).toEqual([`Possible power loss: ${lines.north.line} custom`, '1'])
  await superuser.query("update incidents set cause = 'network', confidence = 0.9 where id = $1", [
    lines.north.incident,
  ])
  expect(await findHeading()).toEqual([`Network outage: ${lines.north.line} custom`, '1'])
  const whole = await seedSplitIncident(superuser)
  const merge = (into: string | null) =>
    superuser.query('update incidents set merged_into = $2 where id = $1', [lines.north.incident, into])
  await merge(whole.id)
  expect(await findHeading()).toEqual(['Outage: 2 terminals', '2'])
  await merge(null)
  await superuser.query("update incidents set cause = 'power', confidence = 0.6 where id = $1", [lines.north.incident])
  clock.now = start
})

test('a link to an incident says nothing about the terminals of others that are part of its evidence', async () => {
  const { lines, superuser, clock } = tenants
  const { path } = await create('incident', lines.north.incident)
  const { rows } = await superuser.query('select cause, reach, place, evidence from incidents where id = $1', [
    lines.north.incident,
  ])
  await superuser.query(
    `update incidents set cause = 'network', reach = 'area', place = 'Elsewhere, AK',
       evidence = evidence || '{"observed": 4711, "signalQuality": 0.4321}' where id = $1`,
    [lines.north.incident],
  )
  const start = clock.now
  clock.now = new Date(start.getTime() + CONTENT_CACHE.lifetimeMs)
  const { body } = await open(path)
  expect(body).toContain('at the same time as most others in the area')
  expect(body).not.toMatch(/4,711|Elsewhere/)
  const { cause, reach, place, evidence } = rows[0]
  await superuser.query('update incidents set cause = $2, reach = $3, place = $4, evidence = $5 where id = $1', [
    lines.north.incident,
    cause,
    reach,
    place,
    evidence,
  ])
  clock.now = start
})

test('a link to a terminal says so while no data of its account reaches us', async () => {
  const { lines, superuser, clock } = tenants
  const { path } = await create('terminal', lines.north.line)
  const start = clock.now
  const isLate = async () => {
    clock.now = new Date(clock.now.getTime() + CONTENT_CACHE.lifetimeMs)
    return (await open(path)).body.includes('this is the last known status')
  }
  expect(await isLate()).toBe(false)
  await superuser.query(
    `insert into incidents (tenant_id, id, cause, reach, confidence, started_at, opened_at, terminal_count, evidence)
     select 'a', gen_random_uuid(), 'not observed', 'several', 1, now(), now(), 2,
       jsonb_build_object('observed', 2, 'alerts', '[]'::jsonb, 'credentialId', terminal.credential_id)
     from terminals as terminal where terminal.device_id = $1`,
    [lines.north.device],
  )
  expect(await isLate()).toBe(true)
  await superuser.query(`update incidents set ended_at = now() where cause = 'not observed'`)
  expect(await isLate()).toBe(false)
  clock.now = start
})

test('a report is shown without the plans of its customer', async () => {
  const { path } = await create('report', await tenants.findReport())
  expect((await open(path)).body).not.toContain('pool')
})

test('a report says how many of its incidents it shows', async () => {
  const id = await tenants.findReport()
  const { path } = await create('report', id)
  const set = (count: number) =>
    tenants.superuser.query(
      `update reports set figures = jsonb_set(figures, '{incidentCount}', to_jsonb($2::int)) where id = $1`,
      [id, count],
    )
  await set(59)
  expect((await open(path)).body).toMatch(/<h2>Incidents: the largest \d+ of 59<\/h2>/)
})

test('a link is recorded as an export of data', async () => {
  await create('terminal', tenants.lines.north.line)
  const { body } = await tenants.call('a', 'GET', '/api/security-events/?kind=export', { token: admin })
  expect(body[0]).toMatchObject({ details: { what: expect.stringMatching(/^link to ./) } })
})

test('the content of a link is rendered at most every 15 seconds, for everybody who opens it', async () => {
  const { path } = await create('terminal', tenants.lines.north.line)
  const before = (await open(path)).body
  const rename = (name: string) =>
    tenants.superuser.query("update status_intervals set status = $1 where tenant_id = 'a'", [name])
  await rename('offline')
  expect((await open(path)).body).toBe(before)
  const { now } = tenants.clock
  tenants.clock.now = new Date(now.getTime() + CONTENT_CACHE.lifetimeMs)
  expect((await open(path)).body).not.toBe(before)
  tenants.clock.now = now
})
