import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ShareKind } from '#contract/share-links.ts'
import { findMarks } from '../testing/marks.ts'
import { seedSplitIncident } from '../testing/seed-incident.ts'
import { type SeededTenants, startSeededTenants } from '../testing/seeded-tenants.ts'
import { GUESSES_PER_NETWORK, OPENINGS_PER_NETWORK } from './link-limits.ts'
import { purgeShareLinks } from './link-rows.ts'
import { CONTENT_CACHE } from './shared-page.ts'
import { MAX_WRONG_PASS_PHRASES } from './wrong-pass-phrases.ts'

const DAY_MS = 86_400_000

let tenants: SeededTenants
let admin: string
beforeAll(async () => {
  tenants = await startSeededTenants()
  admin = await tenants.users.admin.signIn()
})
afterAll(() => tenants.close())

const create = async (kind: ShareKind, subject: string, more: object = {}) => {
  const body = { kind, subject, days: 7, passPhrase: null, ...more }
  const { status, body: answer } = await tenants.call('a', 'POST', '/api/share-links/', { token: admin, body })
  expect(status).toBe(200)
  return answer as { id: string; path: string }
}
const open = (path: string, tenant = 'a') => tenants.call(tenant, 'GET', path)
const enter = async (path: string, passPhrase: string, remoteAddress = '127.0.0.1') => {
  const { statusCode, headers, body } = await tenants.app.inject({
    method: 'POST',
    url: path,
    payload: new URLSearchParams({ passPhrase }).toString(),
    remoteAddress,
    headers: { host: 'a.example', 'content-type': 'application/x-www-form-urlencoded' },
  })
  return { status: statusCode, headers, body }
}
const list = async () =>
  (await tenants.call('a', 'GET', '/api/share-links/', { token: admin })).body.links as {
    id: string
    state: string
    opened: number
  }[]
const listActions = async () =>
  ((await tenants.call('a', 'GET', '/api/get-logs/', { token: admin })).body as { actionType: string }[])
    .map(({ actionType }) => actionType)
    .filter((action) => action.startsWith('share_link.'))

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
  expect((await open(path)).body).toMatch(/<h2>Incidents: the newest \d+ of 59<\/h2>/)
})

test('the secret is stored nowhere, and each opening is counted', async () => {
  const { id, path } = await create('terminal', tenants.lines.north.line)
  for (let time = 0; time < 3; time++) await open(path)
  const { rows } = await tenants.superuser.query('select share_links::text as row from share_links where id = $1', [id])
  expect(rows[0].row).not.toContain(path.replace(/^.*\//, ''))
  expect((await list()).find((link) => link.id === id)).toMatchObject({ opened: 3, state: 'active' })
})

test('a link is recorded as an export of data', async () => {
  await create('terminal', tenants.lines.north.line)
  const { body } = await tenants.call('a', 'GET', '/api/security-events/?kind=export', { token: admin })
  expect(body[0]).toMatchObject({ details: { what: expect.stringMatching(/^link to ./) } })
})

test('a link ends when it is revoked, when it expires, and with its administrator', async () => {
  const revoked = await create('terminal', tenants.lines.north.line)
  const revoke = () => tenants.call('a', 'DELETE', `/api/share-links/${revoked.id}/`, { token: admin })
  expect((await revoke()).status).toBe(200)
  expect((await revoke()).status).toBe(404)
  expect((await open(revoked.path)).status).toBe(404)
  const { id, path } = await create('terminal', tenants.lines.north.line, { days: 1 })
  const { now } = tenants.clock
  tenants.clock.now = new Date(now.getTime() + DAY_MS + 1)
  expect((await open(path)).status).toBe(404)
  tenants.clock.now = now
  const setRole = (role: string) =>
    tenants.superuser.query('update users set role = $1 where id = $2', [role, tenants.users.admin.id])
  await setRole('user')
  expect((await open(path)).status).toBe(404)
  await setRole('admin')
  expect((await open(path)).status).toBe(200)
  const purge = (days: number) =>
    tenants.database.transaction({ tenantId: 'a' }, (db) =>
      purgeShareLinks(db, 'a', new Date(now.getTime() + days * DAY_MS)),
    )
  await purge(90)
  expect((await list()).some((link) => link.id === id)).toBe(true)
  await purge(92)
  expect((await list()).some((link) => link.id === id)).toBe(false)
})

test('a pass phrase is needed, and can be tried a few times only', async () => {
  const { path } = await create('terminal', tenants.lines.north.line, { passPhrase: 'under the blue boat' })
  const asked = await open(path)
  expect(asked.body).toContain('Pass phrase')
  expect(findMarks(asked.body)).toEqual([])
  expect((await enter(path, 'under the blue boat')).body).toContain(tenants.lines.north.line)
  const statuses: number[] = []
  for (let time = 0; time < 7; time++) statuses.push((await enter(path, `guess ${time}`)).status)
  expect(statuses).toEqual([403, 403, 403, 403, 403, 429, 429])
  const paused = await enter(path, 'under the blue boat')
  expect(paused.status).toBe(429)
  expect(Number(paused.headers['retry-after'])).toBeGreaterThan(0)
  // Whoever has the link and not the phrase does not lock out others.
  expect((await enter(path, 'under the blue boat', '198.51.100.7')).status).toBe(200)
})

test('a pass phrase is not guessed from many addresses of a network, nor from many networks', async () => {
  const { path } = await create('terminal', tenants.lines.north.line, { passPhrase: 'under the blue boat' })
  const guess = async (addresses: string[]) => {
    let compared = 0
    for (const address of addresses) if ((await enter(path, 'a guess', address)).status === 403) compared++
    return compared
  }
  const range = (count: number, toAddress: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => toAddress(at))
  expect(await guess(range(30, (at) => `2001:db8:1:${at.toString(16)}::1`))).toBe(20)
  expect(await guess(range(60, (at) => `2001:db8:${(at + 2).toString(16)}::1`))).toBe(30)
})

test('a link ends after too many wrong pass phrases of all time, and its creator gets a mail', async () => {
  const { id, path } = await create('terminal', tenants.lines.north.line, { passPhrase: 'under the blue boat' })
  await tenants.superuser.query('update share_links set wrong_pass_phrases = $1 where id = $2', [
    MAX_WRONG_PASS_PHRASES - 2,
    id,
  ])
  expect((await enter(path, 'a guess', '198.51.100.1')).status).toBe(403)
  expect((await enter(path, 'under the blue boat', '203.0.113.1')).status).toBe(200)
  expect((await enter(path, 'another guess', '198.51.100.2')).status).toBe(403)
  expect((await enter(path, 'under the blue boat', '203.0.113.1')).status).toBe(404)
  expect((await list()).find((link) => link.id === id)?.state).toBe('revoked')
  const { rows } = await tenants.superuser.query(
    "select tenant_id, subject from messages where subject like 'The link to%'",
  )
  expect(rows).toEqual([{ tenant_id: 'a', subject: expect.stringContaining('revoked after 500 wrong pass phrases') }])
})

test('only what exists and a user may see is shared, by administrators', async () => {
  const refuse = async (body: object, token = admin) =>
    (await tenants.call('a', 'POST', '/api/share-links/', { token, body: { days: 7, passPhrase: null, ...body } }))
      .status
  expect(await refuse({ kind: 'terminal', subject: tenants.lines.foreign.line })).toBe(403)
  expect(await refuse({ kind: 'incident', subject: tenants.lines.foreign.incident })).toBe(404)
  expect(await refuse({ kind: 'report', subject: 'nothing' })).toBe(404)
  expect(await refuse({ kind: 'terminal', subject: tenants.lines.north.line, passPhrase: 'short' })).toBe(400)
  for (const passPhrase of ['password', 'Password2026!', 'P@ssw0rd'])
    expect(await refuse({ kind: 'terminal', subject: tenants.lines.north.line, passPhrase })).toBe(400)
  expect(await refuse({ kind: 'terminal', subject: tenants.lines.north.line }, await tenants.users.with.signIn())).toBe(
    403,
  )
  expect((await open('/shared/nothing')).status).toBe(404)
})

test('a link can be opened so often in a minute, by each network, and says how often', async () => {
  const { path } = await create('terminal', tenants.lines.north.line)
  const openFrom = (address: string) =>
    tenants.app.inject({
      method: 'GET',
      url: path,
      remoteAddress: address,
      headers: { host: 'a.example' },
    })
  const first = await openFrom('192.0.2.1')
  expect(first.headers).toMatchObject({
    'ratelimit-limit': String(OPENINGS_PER_NETWORK),
    'ratelimit-remaining': String(OPENINGS_PER_NETWORK - 1),
    'ratelimit-reset': expect.stringMatching(/^\d+$/),
  })
  for (let time = 1; time < OPENINGS_PER_NETWORK; time++) expect((await openFrom('192.0.2.1')).statusCode).toBe(200)
  const refused = await openFrom('192.0.2.1')
  expect([refused.statusCode, refused.headers['ratelimit-remaining']]).toEqual([429, '0'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await openFrom('192.0.2.2')).statusCode).toBe(200)
  const { now } = tenants.clock
  tenants.clock.now = new Date(now.getTime() + 60_000)
  expect((await openFrom('192.0.2.1')).statusCode).toBe(200)
  tenants.clock.now = now
})

test('links cannot be guessed at any rate, and guesses from one network do not lock out others', async () => {
  const { path } = await create('terminal', tenants.lines.north.line)
  const openFrom = async (remoteAddress: string, url: string) =>
    (await tenants.app.inject({ method: 'GET', url, remoteAddress, headers: { host: 'a.example' } })).statusCode
  const guess = (at: number) => `/shared/${String(at).padStart(43, 'A')}`
  const guesses: number[] = []
  for (let at = 0; at < GUESSES_PER_NETWORK + 5; at++) guesses.push(await openFrom('203.0.113.5', guess(at)))
  expect(guesses).toEqual([...Array(GUESSES_PER_NETWORK).fill(404), ...Array(5).fill(429)])
  // Others in the /24 of the address, and in another.
  expect(await openFrom('203.0.113.6', path)).toBe(200)
  expect(await openFrom('192.0.2.77', path)).toBe(200)
  for (let at = 0; at < GUESSES_PER_NETWORK; at++) await openFrom(`203.0.113.${100 + at}`, guess(at))
  expect(await openFrom('203.0.113.6', path)).toBe(429)
  const { now } = tenants.clock
  tenants.clock.now = new Date(now.getTime() + 60_000)
  expect(await openFrom('203.0.113.5', path)).toBe(200)
  tenants.clock.now = now
})

test('what a link shows is made once in a while, for everybody who opens it', async () => {
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
