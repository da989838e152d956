import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatDateTime } from '#contract/format/times.ts'
import type { SettingsChange } from '#contract/tenant-settings.ts'
import { PASSWORD, startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let superuser: pg.Client
let ada: string
beforeAll(async () => {
  server = await startTestServer({ TICKET_RETENTION_DAYS: '400' })
  superuser = await server.connectSuperuser()
  for (const name of ['ada', 'bob']) await server.addUser('a', { email: `${name}@a.example`, role: 'admin' })
  await server.addUser('a', { email: 'eve@a.example' })
  await server.addUser('b', { email: 'ada@b.example', role: 'admin' })
  ada = (await server.signIn('a', 'ada@a.example')).access
})
afterAll(() => server.close())

const installation = { ticketRetentionDays: 400, messageRetentionDays: 90, securityEventRetentionDays: 365 }
const defaults = {
  ticketRetentionDays: null,
  messageRetentionDays: null,
  securityEventRetentionDays: null,
  settlingMinutes: 5,
  addressRadiusKm: 50,
  borderKm: 20,
  roamingDays: 30,
  timeZone: 'UTC',
  units: 'metric',
  secondFactorForAdmins: false,
  secondFactorForUsers: false,
  publicStatus: false,
}

const get = (tenant: string, token: string) => server.call(tenant, 'GET', '/api/tenant-settings/', { token })
const change = (body: SettingsChange | Record<string, unknown>, token = ada) =>
  server.call('a', 'PATCH', '/api/tenant-settings/', { token, body })
const listRecorded = async () =>
  (await superuser.query("select details from audit_log where action = 'tenant.settings' order by seq")).rows.map(
    ({ details }) => details,
  )

test('an administrator changes settings of their own tenant, which pages read and the log records', async () => {
  const beth = (await server.signIn('b', 'ada@b.example')).access
  expect((await get('a', ada)).body).toEqual({ settings: defaults, installation })
  const after = { ...defaults, settlingMinutes: 12, timeZone: 'Pacific/Auckland', units: 'imperial' }
  expect(await change({ settlingMinutes: 12, timeZone: 'Pacific/Auckland', units: 'imperial' })).toMatchObject({
    status: 200,
    body: { settings: after, installation },
  })
  expect((await get('a', ada)).body.settings).toEqual(after)
  expect((await get('b', beth)).body.settings).toEqual(defaults)
  const config = (await server.call('a', 'GET', '/api/config/')).body
  expect(config).toMatchObject({ timeZone: 'Pacific/Auckland', units: 'imperial' })
  expect((await server.call('b', 'GET', '/api/config/')).body).toMatchObject({ timeZone: 'UTC', units: 'metric' })
  expect(await listRecorded()).toEqual([
    {
      before: { settlingMinutes: 5, timeZone: 'UTC', units: 'metric' },
      after: { settlingMinutes: 12, timeZone: 'Pacific/Auckland', units: 'imperial' },
    },
  ])
  expect((await change({ units: 'imperial' })).status).toBe(200)
  expect(await listRecorded()).toHaveLength(1)
})

test('values out of bounds and zones that do not exist change nothing', async () => {
  for (const wrong of [
    { settlingMinutes: 0 },
    { settlingMinutes: 121 },
    { settlingMinutes: null },
    { securityEventRetentionDays: 29 },
    { ticketRetentionDays: 36_501 },
    { messageRetentionDays: 1.5 },
    { timeZone: 'Mars/Olympus_Mons' },
    { timeZone: '-09:00' },
    { timeZone: '' },
    { units: 'nautical' },
    { locale: 'en' },
  ])
    expect(await change({ units: 'metric', ...wrong }), JSON.stringify(wrong)).toMatchObject({ status: 400 })
  expect((await get('a', ada)).body.settings.units).toBe('imperial')
})

test('deleting records sooner needs the password again, and all administrators get a mail', async () => {
  await superuser.query("update sessions set confirmed_at = 'epoch'")
  expect(await change({ securityEventRetentionDays: 30 })).toMatchObject({
    status: 403,
    body: { error: 'reauthenticate' },
  })
  expect((await get('a', ada)).body.settings.securityEventRetentionDays).toBeNull()
  expect(await change({ securityEventRetentionDays: 500 })).toMatchObject({ status: 200 })
  await server.call('a', 'POST', '/api/confirm-password/', { token: ada, body: { password: PASSWORD } })
  expect(await change({ securityEventRetentionDays: null, ticketRetentionDays: 7 })).toMatchObject({ status: 200 })
  const { rows } = await superuser.query(
    "select recipient, subject, text from messages where tenant_id = 'a' order by 1",
  )
  const subject =
    'Tickets are now deleted after 7 days instead of 400; Security events are now deleted after 365 days instead of 500'
  expect(rows.map((row) => [row.recipient, row.subject])).toEqual([
    ['ada@a.example', subject],
    ['bob@a.example', subject],
  ])
  expect(rows[0].text).toContain(`Time: ${formatDateTime(server.clock.now, 'Pacific/Auckland')}`)
  const events = await superuser.query(
    "select details from security_events where kind = 'settings_changed' order by id",
  )
  expect(events.rows.at(-1)).toEqual({ details: { fields: 'ticketRetentionDays, securityEventRetentionDays' } })
})

test('users who are no administrators neither see nor change them', async () => {
  const eve = (await server.signIn('a', 'eve@a.example')).access
  expect((await get('a', eve)).status).toBe(403)
  expect((await change({ units: 'metric' }, eve)).status).toBe(403)
})
