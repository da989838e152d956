import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openBody } from '../messages/sealed-body.ts'
import { findAddress, findRecipient } from '../notifications/audience.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let userId: number
let token: string

const NUMBER = { phoneNumber: '907-555-0101' }
const OTHER = { phoneNumber: '907-555-0202' }

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

let users = 0
beforeEach(async () => {
  const email = `user${++users}@mail.example`
  userId = await server.addUser('a', { email })
  token = (await server.signIn('a', email)).access
  await server.database.transaction({ tenantId: 'a' }, async (db) => {
    await db.deleteFrom('messages').execute()
    await db.deleteFrom('sms_stops').execute()
    await db.deleteFrom('rate_limits').execute()
  })
})

const post = (path: string, body: object = {}) => server.call('a', 'POST', `/api${path}`, { body, token })
const agree = () => server.call('a', 'GET', '/api/enable-sms/', { token })
const profile = async () => (await server.call('a', 'GET', '/api/user-profile/', { token })).body

const listTexts = () =>
  server.database.transaction({ tenantId: 'a' }, (db) =>
    db.selectFrom('messages').selectAll().where('channel', '=', 'sms').orderBy('created_at').execute(),
  )

const readCode = async () => {
  const row = (await listTexts()).at(-1)
  const opened = row && openBody(server.services.secrets, 'a', row)
  return /: (\d{6}) is your code/.exec(opened?.text ?? '')?.[1] as string
}

/** The address of an SMS notification. */
const findSmsAddress = async () =>
  server.database.transaction({ tenantId: 'a' }, async (db) => {
    const user = await findRecipient(db, 'a', userId)
    return user ? findAddress(user, 'sms') : null
  })

const verify = async (number: object) => {
  await post('/change-phone-number/', number)
  await post('/send-phone-code/')
  return post('/verify-phone-number/', { code: await readCode() })
}

test('nothing but the code is sent to a number until the code was entered', async () => {
  await agree()
  await post('/change-phone-number/', NUMBER)
  expect(await profile()).toMatchObject({ smsConsent: 'given', enableSmsNotification: true, phoneVerified: false })
  expect(await findSmsAddress()).toBeNull()
  expect((await post('/send-phone-code/')).status).toBe(200)
  const code = await readCode()
  expect(JSON.stringify(await listTexts())).not.toContain(code)
  const wrong = code === '111111' ? '222222' : '111111'
  expect((await post('/verify-phone-number/', { code: wrong })).status).toBe(400)
  expect((await post('/verify-phone-number/', { code })).body).toEqual({ phoneVerified: true })
  expect(await findSmsAddress()).toBe('+19075550101')
  expect((await post('/verify-phone-number/', { code })).status).toBe(400)
  expect((await post('/send-phone-code/')).status).toBe(409)
})

test('a new number needs consent and verification of its own', async () => {
  await agree()
  await verify(NUMBER)
  await post('/change-phone-number/', OTHER)
  expect(await profile()).toMatchObject({ smsConsent: 'none', enableSmsNotification: false, phoneVerified: false })
  expect((await post('/enable-sms/', { enableSmsNotification: true })).status).toBe(409)
  await agree()
  expect(await profile()).toMatchObject({ smsConsent: 'given', enableSmsNotification: true })
  expect(await findSmsAddress()).toBeNull()
  await verify(OTHER)
  expect(await findSmsAddress()).toBe('+19075550202')
})

test('the code of one number does not verify another, and five wrong tries end it', async () => {
  await post('/change-phone-number/', NUMBER)
  await post('/send-phone-code/')
  const code = await readCode()
  await post('/change-phone-number/', OTHER)
  expect((await post('/verify-phone-number/', { code })).status).toBe(400)
  await post('/send-phone-code/')
  const next = await readCode()
  for (let tries = 0; tries < 5; tries++)
    await post('/verify-phone-number/', { code: next === '111111' ? '222222' : '111111' })
  expect((await post('/verify-phone-number/', { code: next })).status).toBe(400)
  expect((await profile()).phoneVerified).toBe(false)
})

test('codes are limited, and a number that answered STOP gets none', async () => {
  expect((await post('/send-phone-code/')).status).toBe(409)
  await post('/change-phone-number/', NUMBER)
  for (let sent = 0; sent < 3; sent++) expect((await post('/send-phone-code/')).status).toBe(200)
  expect((await post('/send-phone-code/')).status).toBe(429)
  await post('/change-phone-number/', OTHER)
  await server.database.transaction({ tenantId: 'a' }, (db) =>
    db
      .insertInto('sms_stops')
      .values({ tenant_id: 'a', phone_number: '+19075550202', stopped_at: new Date() })
      .execute(),
  )
  expect((await post('/send-phone-code/')).body.message).toContain('STOP')
  expect(await listTexts()).toHaveLength(3)
})
