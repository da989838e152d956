import { afterAll, beforeAll, expect, test } from 'vitest'
import { queueMail } from '../messages/queue-mail.ts'
import { queueSms } from '../messages/queue-sms.ts'
import { type Mailbox, startMailbox } from '../testing/mailbox.ts'
import { PASSWORD, startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let admin: string
let otherAdmin: string
beforeAll(async () => {
  server = await startTestServer()
  await server.addUser('a', { email: 'ada@a.example', role: 'admin' })
  await server.addUser('b', { email: 'ada@b.example', role: 'admin' })
  await server.addUser('a', { email: 'otp@a.example', checkOtp: true })
  admin = (await server.signIn('a', 'ada@a.example')).access
  otherAdmin = (await server.signIn('b', 'ada@b.example')).access
})
afterAll(() => server.close())

const addMail = (to: string, tenantId = 'a') =>
  server.database.transaction({ tenantId }, (db) =>
    queueMail(db, tenantId, { to, subject: 'New hours', text: 'We open at nine.', html: '<p>We open at nine.</p>' }),
  )

const finish = (id: string, set: { state?: string; expires_at?: Date } = {}) =>
  server.database.transaction({ tenantId: 'a' }, (db) =>
    db
      .updateTable('messages')
      .set({ state: 'failed', finished_at: new Date(), ...set })
      .where('id', '=', id)
      .execute(),
  )

const get = async (id: string) => server.call('a', 'GET', `/api/message-deliveries/${id}/`, { token: admin })
const resend = (id: string, tenant = 'a', token = admin) =>
  server.call(tenant, 'POST', `/api/message-deliveries/${id}/resend/`, { token })
const entries = async () =>
  (await server.call('a', 'GET', '/api/get-logs/?action=message.resend', { token: admin })).body

test('a message that failed is sent again as a copy, which the log and the message name', async () => {
  const post: Mailbox = await startMailbox(server)
  try {
    const first = await addMail('pat@a.example')
    await post.waitFor('pat@a.example')
    await expect.poll(async () => (await get(first)).body.delivery.state).toBe('sent')
    const { status, body } = await resend(first)
    expect([status, body.message]).toEqual([200, 'The message is being sent again.'])
    await expect.poll(async () => (await get(body.messageId)).body.delivery.state).toBe('sent')
    const copy = (await get(body.messageId)).body.delivery
    expect(copy).toMatchObject({ recipient: 'pat@a.example', subject: 'New hours', body: 'We open at nine.' })
    expect(copy.resendOf).toBe(first)
    const { delivery } = (await get(first)).body
    expect(delivery).toMatchObject({ state: 'sent', hindrance: null, resends: [{ id: copy.id, state: 'sent' }] })
    expect((await entries())[0]).toMatchObject({
      actionPerformer: 'ada@a.example',
      actionPerformee: 'pat@a.example',
      details: { message: first, copy: copy.id, channel: 'email', subject: 'New hours' },
    })
  } finally {
    await post.close()
  }
})

test('a code is neither shown nor sent again, whether it waits or was sent', async () => {
  await server.call('a', 'POST', '/api/user/login/', { body: { email: 'otp@a.example', password: PASSWORD } })
  const list = await server.call('a', 'GET', '/api/message-deliveries/', { token: admin })
  const { id } = list.body.messages.find(({ recipient }: { recipient: string }) => recipient === 'otp@a.example')
  const before = (await entries()).length
  expect((await get(id)).body.delivery).toMatchObject({ body: null, hindrance: 'secret' })
  expect((await resend(id)).status).toBe(409)
  await server.database.transaction({ tenantId: 'a' }, (db) =>
    db
      .updateTable('messages')
      .set({ state: 'sent', finished_at: new Date(), sealed_body: null })
      .where('id', '=', id)
      .execute(),
  )
  expect((await get(id)).body.delivery).toMatchObject({ body: null, hindrance: 'secret' })
  const refused = await resend(id)
  expect([refused.status, refused.body.message]).toEqual([
    409,
    'Messages with codes or passwords are never sent again. Their user can request another one.',
  ])
  expect((await entries()).length).toBe(before)
})

test('a message that is under way or out of date is not sent again', async () => {
  const waiting = await addMail('waiting@a.example')
  expect([(await resend(waiting)).status, (await get(waiting)).body.delivery.hindrance]).toEqual([409, 'under way'])
  const text = await server.database.transaction({ tenantId: 'a' }, (db) =>
    queueSms(db, 'a', {
      to: '+19075550142',
      text: 'Nome School is offline.',
      expiresAt: new Date('2100-01-01'),
    }),
  )
  await finish(text)
  expect((await get(text)).body.delivery.hindrance).toBeNull()
  await finish(text, { expires_at: new Date(0) })
  expect([(await resend(text)).status, (await get(text)).body.delivery.hindrance]).toEqual([409, 'expired'])
})

test('three copies of a message can be sent in a row, and no more, however many come at once', async () => {
  const id = await addMail('often@a.example')
  await finish(id)
  const statuses = (await Promise.all(Array.from({ length: 8 }, () => resend(id)))).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(3)
  expect(statuses.filter((status) => status === 429)).toHaveLength(5)
  expect((await get(id)).body.delivery.resends).toHaveLength(3)
})

test('the administrator of another tenant finds no such message', async () => {
  const id = await addMail('pat@a.example')
  await finish(id)
  expect((await resend(id, 'b', otherAdmin)).status).toBe(404)
  expect((await server.call('b', 'GET', `/api/message-deliveries/${id}/`, { token: otherAdmin })).status).toBe(404)
})
