import { afterAll, beforeAll, expect, test } from 'vitest'
import { configureTenant } from '../tenants/configure-tenant.ts'
import { type Mailbox, startMailbox } from '../testing/mailbox.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

const by = { performer: 'test', now: new Date() }

let server: TestServer
let post: Mailbox
beforeAll(async () => {
  server = await startTestServer()
  post = await startMailbox(server)
  for (const [tenantId, ticket] of [
    ['a', 'email'],
    ['b', 'freshdesk'],
  ] as const) {
    await server.addUser(tenantId)
    const config = { company_name: `Company ${tenantId}`, support_email: `help@${tenantId}.example`, ticket }
    await server.database.transaction({ tenantId }, (db) =>
      configureTenant(db, tenantId, by, { config, faq: [], widgetOrigins: [] }),
    )
  }
})
afterAll(async () => {
  await post.close()
  await server.close()
})

const ticket = { name: 'Ann Visitor', email: 'ann@mail.example', message: 'My <b>dish</b> is dark.\nPlease help.' }

const send = (body: object, options: { token?: string; tenant?: string } = {}) =>
  server.call(options.tenant ?? 'a', 'POST', '/api/api/ticket/', {
    body,
    ...(options.token && { token: options.token }),
  })

const listTickets = (tenantId: string) =>
  server.database.transaction({ tenantId }, (db) => db.selectFrom('tickets').selectAll().orderBy('id').execute())

test('a visitor’s ticket is kept and mailed to support, and an answer goes to the visitor', async () => {
  expect(await send(ticket)).toMatchObject({ status: 200, body: { message: 'Ticket submitted!' } })
  const mail = await post.waitFor('help@a.example')
  expect(mail.header('Reply-To')).toBe('ann@mail.example')
  expect(mail.header('Subject')).toMatch(/^Ticket #\d+ from Ann Visitor$/)
  expect(mail.part('text/plain')).toContain('> My <b>dish</b> is dark.')
  expect(mail.part('text/html')).toContain('My &lt;b&gt;dish&lt;/b&gt; is dark.')
  expect((await listTickets('a')).at(-1)).toMatchObject({ ...ticket, user_id: null })
  expect(await listTickets('b')).toEqual([])
})

test('a signed-in person’s ticket tells who they are and stands in the audit log', async () => {
  const { access } = await server.signIn('a')
  expect((await send(ticket, { token: access })).status).toBe(200)
  expect((await listTickets('a')).at(-1)?.user_id).not.toBeNull()
  const entry = await server.database.transaction({ tenantId: 'a' }, (db) =>
    db.selectFrom('audit_log').selectAll().orderBy('seq', 'desc').limit(1).executeTakeFirstOrThrow(),
  )
  expect(entry).toMatchObject({ action: 'ticket.create', performer: 'someone@mail.example' })
})

test('a token that does not hold is refused, so that the page renews it, and one of another tenant too', async () => {
  const { access } = await server.signIn('b')
  for (const token of ['nonsense', access]) expect((await send(ticket, { token })).status).toBe(401)
})

test('a line break in a name or address is refused before anything is kept', async () => {
  const before = (await listTickets('a')).length
  for (const bad of [
    { ...ticket, name: 'Ann\r\nBcc: victim@mail.example' },
    { ...ticket, email: 'ann@mail.example\r\nBcc: victim@mail.example' },
    { ...ticket, email: 'ann@mail.example,victim@mail.example' },
    { ...ticket, message: '' },
    { ...ticket, subject: 'other' },
  ])
    expect((await send(bad)).status).toBe(400)
  expect((await listTickets('a')).length).toBe(before)
})

test('a tenant that takes no tickets by form answers 404', async () => {
  expect((await send(ticket, { tenant: 'b' })).status).toBe(404)
})

test('one address sends ten tickets an hour and no more, whatever it writes into X-Forwarded-For', async () => {
  const from = (index: number) =>
    server.app.inject({
      method: 'POST',
      url: '/api/ticket/',
      headers: { host: 'a.example', 'x-forwarded-for': `198.51.100.${index}` },
      remoteAddress: '192.0.2.77',
      payload: ticket,
    })
  for (let index = 0; index < 10; index++) expect((await from(index)).statusCode).toBe(200)
  const before = (await listTickets('a')).length
  const refused = await from(11)
  expect(refused.statusCode).toBe(429)
  expect(refused.headers['retry-after']).toBe('3600')
  expect((await listTickets('a')).length).toBe(before)
})
