import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { computeSignature } from './sms-webhook.ts'

const TOKEN = 'gateway-secret'
const URL_CALLED = 'http://a.example/api/sms-webhook/'

let server: TestServer
let access: string

beforeAll(async () => {
  server = await startTestServer({
    SMS_API_URL: 'http://127.0.0.1:1/',
    SMS_ACCOUNT_SID: 'AC1',
    SMS_AUTH_TOKEN: TOKEN,
    SMS_FROM: '+19075550199',
  })
  await server.addUser('b')
  access = await addConsentingUser('someone@mail.example', '9075550101')
})
afterAll(() => server.close())

const addConsentingUser = async (email: string, phoneNumber: string) => {
  await server.addUser('a', { email })
  const { access: token } = await server.signIn('a', email)
  await server.call('a', 'GET', '/api/enable-sms/', { token })
  await server.call('a', 'POST', '/api/change-phone-number/', { body: { phoneNumber }, token })
  return token
}

const text = async (
  words: string,
  {
    from = '+19075550101',
    signature,
    more = {},
  }: Partial<{ from: string; signature: string; more: Record<string, string> }> = {},
) => {
  const fields = { From: from, To: '+19075550199', Body: words, MessageSid: 'SM1', ...more }
  const response = await server.app.inject({
    method: 'POST',
    url: '/api/sms-webhook/',
    headers: {
      host: 'a.example',
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': signature ?? computeSignature(TOKEN, URL_CALLED, fields),
    },
    payload: new URLSearchParams(fields).toString(),
  })
  return { status: response.statusCode, body: response.body }
}

const consent = async (token = access) =>
  (await server.call('a', 'GET', '/api/user-profile/', { token })).body.smsConsent

test('computes the signature of the example in the gateway’s documentation', () => {
  const fields = {
    CallSid: 'CA1234567890ABCDE',
    Caller: '+14158675310',
    Digits: '1234',
    From: '+14158675310',
    To: '+18005551212',
  }
  expect(computeSignature('12345', 'https://example.com/myapp.php?foo=1&bar=2', fields)).toBe(
    'L/OH5YylLD5NRKLltdqwSvS0BnU=',
  )
})

test('STOP ends the texts, HELP gets a reply, START resumes them', async () => {
  expect(await consent()).toBe('given')
  expect(await text(' stop ')).toMatchObject({ status: 200, body: expect.stringContaining('no more messages') })
  expect(await consent()).toBe('stopped')
  const enable = { body: { enableSmsNotification: true }, token: access }
  expect((await server.call('a', 'POST', '/api/enable-sms/', enable)).status).toBe(409)
  expect((await text('HELP')).body).toContain('Reply STOP to opt out')
  expect(await consent()).toBe('stopped')
  expect((await text('Start')).body).toContain('messages again')
  expect(await consent()).toBe('given')
})

test('a text without a valid signature changes nothing', async () => {
  expect((await text('STOP', { signature: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=' })).status).toBe(403)
  expect((await text('STOP', { signature: '' })).status).toBe(403)
  expect(await consent()).toBe('given')
})

test('other words and unknown numbers change nothing', async () => {
  expect(await text('please stop')).toMatchObject({ status: 200, body: expect.not.stringContaining('<Message>') })
  await text('STOP', { from: '+19075559999' })
  expect(await consent()).toBe('given')
  const stops = await server.database.transaction({ tenantId: 'b' }, (db) =>
    db.selectFrom('sms_stops').selectAll().execute(),
  )
  expect(stops).toEqual([])
})

test('applies a keyword without a reply when the gateway has replied itself', async () => {
  expect((await text('STOP', { more: { OptOutType: 'STOP' } })).body).not.toContain('<Message>')
  expect(await consent()).toBe('stopped')
  await text('START')
})

test('STOP and START from a number of another country apply to the user who gave it', async () => {
  const british = await addConsentingUser('british@mail.example', '+44 (0)7911 123456')
  await text('STOP', { from: '+17911123456' })
  expect(await consent(british)).toBe('given')
  await text('STOP', { from: '+447911123456' })
  expect(await consent(british)).toBe('stopped')
  expect(await consent()).toBe('given')
  await text('START', { from: '+447911123456' })
  expect(await consent(british)).toBe('given')
})

test('STOP from a short code changes nothing', async () => {
  expect((await text('STOP', { from: '73278' })).status).toBe(200)
  expect(await consent()).toBe('given')
})
