import { afterAll, beforeAll, expect, test } from 'vitest'
import { smsConsentVersion } from '#contract/sms-consent.ts'
import { listEntries } from '../audit/queries.ts'
import { addLine } from '../testing/add-line.ts'
import { PASSWORD, startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let token: string
let north: string
let south: string
let foreign: string

const addNamedLine = (tenantId: string, nickname: string, group: string) =>
  server.database.transaction({ tenantId }, async (db) => {
    const line = { service_line_number: `SL-${nickname}`, nickname, group_name: group }
    return String((await addLine(db, tenantId, line)).lineId)
  })

beforeAll(async () => {
  server = await startTestServer()
  await server.addUser('a')
  await server.addUser('b')
  north = await addNamedLine('a', 'Nome School', 'north')
  south = await addNamedLine('a', 'Juneau Office', 'south')
  foreign = await addNamedLine('b', 'Foreign', 'north')
  token = (await server.signIn('a')).access
})
afterAll(() => server.close())

const post = (path: string, body: object, as = token) => server.call('a', 'POST', `/api${path}`, { body, token: as })
const profile = async (tenant = 'a', as = token) =>
  (await server.call(tenant, 'GET', '/api/user-profile/', { token: as })).body

test('a new profile has everything off and lists the terminals of the user’s group', async () => {
  expect(await profile()).toEqual({
    customerName: 'Some One',
    company: 'Company',
    checkOtp: false,
    enableNotification: false,
    enableSmsNotification: false,
    phoneNumber: null,
    phoneVerified: false,
    statusChangeNotification: false,
    dataUsageNotification: false,
    warningNotification: false,
    selectedTerminalList: '',
    terminalList: [{ id: north, nickname: 'Nome School', customname: null }],
    smsConsent: 'none',
    mailDigest: 'at once',
    quietFrom: '22:00',
    quietUntil: '07:00',
    timeZone: 'UTC',
    smsDailyLimit: 10,
    auditMail: false,
  })
})

test('each checkbox is stored, returned, and changes no other profile', async () => {
  for (const [path, name] of [
    ['/check-otp/', 'checkOtp'],
    ['/enable-notification/', 'enableNotification'],
    ['/status-change-notification/', 'statusChangeNotification'],
    ['/data-usage-notification/', 'dataUsageNotification'],
    ['/warning-notification/', 'warningNotification'],
  ] as const) {
    expect(await post(path, { [name]: true })).toMatchObject({ status: 200, body: { [name]: true } })
    expect((await profile())[name]).toBe(true)
    expect((await post(path, { [name]: 'perhaps' })).status).toBe(400)
  }
  await post('/check-otp/', { checkOtp: false })
  const other = await profile('b', (await server.signIn('b')).access)
  expect(other).toMatchObject({ enableNotification: false, statusChangeNotification: false })
})

test('the name is required, and its change is recorded in the editing log', async () => {
  expect((await post('/edit-profile/', { customerName: ' ', company: 'New' })).status).toBe(400)
  const response = await post('/edit-profile/', { customerName: 'Utqiaġvik School', company: 'District' })
  expect(response.body.message).toBe('Your profile has been succesfully edited.')
  expect(await profile()).toMatchObject({ customerName: 'Utqiaġvik School', company: 'District' })
  const [entry] = await server.database.transaction({ tenantId: 'a' }, (db) =>
    listEntries(db, 'a', { action: 'profile.edit' }, 1),
  )
  expect(entry?.details).toEqual({
    before: { customerName: 'Some One', company: 'Company' },
    after: { customerName: 'Utqiaġvik School', company: 'District' },
  })
})

test('accepts a +1 phone number in three forms and refuses others', async () => {
  for (const phoneNumber of ['(907) 555-0101', '907-555-0101', '9075550101'])
    expect((await post('/change-phone-number/', { phoneNumber })).body).toEqual({ phoneNumber: '9075550101' })
  const wrong = await post('/change-phone-number/', { phoneNumber: '555-0101' })
  expect(wrong.status).toBe(400)
  expect(wrong.body.message).toContain('Please enter a valid 10-digit US phone number')
})

test.each([
  ['+44 (0)7911 123456', '+447911123456'],
  ['+49 1512 3456789', '+4915123456789'],
  ['+299 22 12 34', '+299221234'],
  ['+54 11 15 1234 5678', '+5491112345678'],
  ['+1 907 555 0101', '9075550101'],
])('the number %s is stored and returned as %s', async (phoneNumber, wire) => {
  expect((await post('/change-phone-number/', { phoneNumber })).body).toEqual({ phoneNumber: wire })
  expect((await profile()).phoneNumber).toBe(wire)
})

test.each(['+44 12', '+999 123 456 789', '+44 7911 1234567', '+1 555 0101'])(
  'refuses %s, which no network can have issued, and leaves the profile as it was',
  async (phoneNumber) => {
    const before = (await profile()).phoneNumber
    const response = await post('/change-phone-number/', { phoneNumber })
    expect(response).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('Please enter a valid phone number with its country code') },
    })
    expect((await profile()).phoneNumber).toBe(before)
  },
)

test('the editing log shows only the end of a phone number', async () => {
  await post('/change-phone-number/', { phoneNumber: '+44 7911 123456' })
  await post('/change-phone-number/', { phoneNumber: '907-555-0101' })
  const [entry] = await server.database.transaction({ tenantId: 'a' }, (db) =>
    listEntries(db, 'a', { action: 'profile.notifications' }, 1),
  )
  expect(entry?.details).toEqual({ before: { phone_number: '…3456' }, after: { phone_number: '…0101' } })
})

test('accepts only terminals that the user may see', async () => {
  expect((await post('/change_selected_terminals/', { selectedTerminalList: north })).status).toBe(200)
  for (const other of [south, foreign, '999999', 'x'])
    expect((await post('/change_selected_terminals/', { selectedTerminalList: `${north},${other}` })).status).toBe(400)
  expect((await profile()).selectedTerminalList).toBe(north)
})

test('leaves out a terminal that moved to another group', async () => {
  const move = (group: string) =>
    server.database.transaction({ tenantId: 'a' }, (db) =>
      db.updateTable('service_lines').set({ group_name: group }).where('id', '=', Number(north)).execute(),
    )
  await move('south')
  expect(await profile()).toMatchObject({ selectedTerminalList: '', terminalList: [] })
  await move('north')
  expect((await profile()).selectedTerminalList).toBe(north)
})

test('SMS requires a consent, which is recorded with its text version, time and address', async () => {
  expect((await post('/enable-sms/', { enableSmsNotification: true })).status).toBe(409)
  expect((await server.call('a', 'GET', '/api/enable-sms/', { token })).body).toEqual({ enableSmsNotification: true })
  expect(await profile()).toMatchObject({ enableSmsNotification: true, smsConsent: 'given' })
  const consents = await server.database.transaction({ tenantId: 'a' }, (db) =>
    db.selectFrom('sms_consents').selectAll().execute(),
  )
  expect(consents).toMatchObject([
    {
      email: 'someone@mail.example',
      text_version: smsConsentVersion,
      address: '127.0.0.1',
      consented_at: server.clock.now,
    },
  ])
  await post('/enable-sms/', { enableSmsNotification: false })
  expect((await post('/enable-sms/', { enableSmsNotification: true })).status).toBe(200)
})

test('accepts quiet hours only in a known time zone', async () => {
  const hours = { quietFrom: '21:30', quietUntil: '06:00', timeZone: 'America/Toronto', smsDailyLimit: 3 }
  expect((await post('/quiet-hours/', hours)).body).toEqual(hours)
  expect(await profile()).toMatchObject(hours)
  expect((await post('/quiet-hours/', { ...hours, quietFrom: '25:00' })).status).toBe(400)
  expect((await post('/quiet-hours/', { ...hours, timeZone: 'Mars/Crater' })).status).toBe(400)
})

test('a new password requires the old one and ends the other sessions', async () => {
  await server.addUser('a', { email: 'other@mail.example' })
  const [{ access }, other] = [
    await server.signIn('a', 'other@mail.example'),
    await server.signIn('a', 'other@mail.example'),
  ]
  const change = (currentPassword: string) =>
    post('/reset-password/', { currentPassword, newPassword: 'Other-pass-1' }, access)
  expect((await change('Wrong-pass-1')).status).toBe(400)
  expect(await change(PASSWORD)).toMatchObject({ status: 200, body: { message: expect.stringContaining('changed') } })
  expect((await server.call('a', 'POST', '/api/token/refresh/', { body: { refresh: other.refresh } })).status).toBe(401)
})

test('a user lists and ends only their own sessions', async () => {
  const other = await server.signIn('a')
  const list = async (as: string) => (await server.call('a', 'GET', '/api/my-sessions/', { token: as })).body.sessions
  const shown = await list(token)
  expect(shown.filter(({ isThis }: { isThis: boolean }) => isThis)).toHaveLength(1)
  const second = (await list(other.access)).find(({ isThis }: { isThis: boolean }) => isThis)
  const stranger = await server.signIn('b')
  expect((await server.call('b', 'DELETE', `/api/my-sessions/${second.id}/`, { token: stranger.access })).status).toBe(
    404,
  )
  expect((await server.call('a', 'DELETE', `/api/my-sessions/${second.id}/`, { token })).status).toBe(200)
  expect((await server.call('a', 'POST', '/api/token/refresh/', { body: { refresh: other.refresh } })).status).toBe(401)
  await server.signIn('a')
  expect((await server.call('a', 'DELETE', '/api/my-sessions/', { token })).status).toBe(200)
  expect(await list(token)).toHaveLength(1)
})

test('a changed preference requests a turn of the notification worker, an unchanged one does not', async () => {
  const takeRequests = async (tenantId: string) => {
    const { rows } = await server.database.transaction({ tenantId }, (_, client) =>
      client.query("delete from job_requests where queue = 'notifications' returning tenant_id"),
    )
    return rows.length
  }
  await takeRequests('a')
  for (const statusChangeNotification of [false, true, true]) {
    const before = (await profile()).statusChangeNotification
    await post('/status-change-notification/', { statusChangeNotification })
    expect(await takeRequests('a')).toBe(before === statusChangeNotification ? 0 : 1)
  }
  await post('/check-otp/', { checkOtp: true })
  await post('/check-otp/', { checkOtp: false })
  expect(await takeRequests('a')).toBe(0)
  expect(await takeRequests('b')).toBe(0)
})

test('the order of the list is remembered for the user, in every session, and for nobody else', async () => {
  const read = async (tenant: string, as: string) =>
    (await server.call(tenant, 'GET', '/api/verify-token/', { token: as })).body.listOrder
  expect((await post('/list-order/', { listOrder: 'worst' })).body).toEqual({ listOrder: 'worst' })
  expect(await read('a', (await server.signIn('a')).access)).toBe('worst')
  expect(await read('b', (await server.signIn('b')).access)).toBe('name')
  expect((await post('/list-order/', { listOrder: 'best' })).status).toBe(400)
  expect(await read('a', token)).toBe('worst')
})
