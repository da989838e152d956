import { afterAll, beforeAll, expect, test } from 'vitest'
import { listEntries } from '../audit/queries.ts'
import { type RateLimit, tryConsume } from '../identity/rate-limits.ts'
import type { AnonymousContext } from '../platform/context.ts'
import { configureTenant } from '../tenants/configure-tenant.ts'
import { addLine } from '../testing/add-line.ts'
import { type Mailbox, startMailbox } from '../testing/mailbox.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { listTicketLimits } from './create-ticket.ts'

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

test('stores a visitor’s ticket and mails it to support with the visitor as the reply address', async () => {
  expect(await send(ticket)).toMatchObject({ status: 200, body: { message: 'Ticket submitted!', number: 1 } })
  const mail = await post.waitFor('help@a.example')
  expect(mail.header('Reply-To')).toBe('ann@mail.example')
  expect(mail.header('Subject')).toMatch(/^Ticket #\d+ from Ann Visitor$/)
  expect(mail.part('text/plain')).toContain('> My <b>dish</b> is dark.')
  expect(mail.part('text/html')).toContain('My &lt;b&gt;dish&lt;/b&gt; is dark.')
  expect((await listTickets('a')).at(-1)).toMatchObject({ ...ticket, user_id: null })
  expect(await listTickets('b')).toEqual([])
})

test('a ticket names the page, the terminal its sender sees, and what the assistant could not answer', async () => {
  await server.database.transaction({ tenantId: 'a' }, async (db) => {
    for (const [nickname, custom_name, group_name] of [
      ['nome-1', 'Nome School', 'north'],
      ['kotzebue', 'Clinic', 'south'],
    ] as const)
      await addLine(db, 'a', { service_line_number: `SL-${nickname}`, nickname, custom_name, group_name })
  })
  const { access } = await server.signIn('a')
  const sent = {
    ...ticket,
    page: '/terminal/nome-1',
    terminal: 'nome-1',
    conversation: [{ question: 'Who painted it?', answer: 'I do not know the answer to that.' }],
  }
  const { body } = await send({ ...sent, name: 'With context' }, { token: access })
  const mail = await post.waitFor('help@a.example', 2)
  expect(mail.part('text/plain')).toContain('Terminal: Nome School, nome-1, KIT-SL-nome-1-1')
  expect(mail.part('text/plain')).toContain('Page: /terminal/nome-1')
  expect(mail.part('text/plain')).toContain('> Question: Who painted it?')
  expect((await listTickets('a')).at(-1)).toMatchObject({
    number: body.number,
    page: '/terminal/nome-1',
    terminal: 'Nome School, nome-1, KIT-SL-nome-1-1',
    conversation: sent.conversation,
  })
  // A terminal of another group, and any terminal for a visitor, is treated as none.
  expect((await send({ ...sent, terminal: 'kotzebue' }, { token: access })).status).toBe(200)
  expect((await listTickets('a')).at(-1)).toMatchObject({ terminal: null })
  expect((await send(sent)).status).toBe(200)
  expect((await listTickets('a')).at(-1)).toMatchObject({ terminal: null })
})

test('tickets are counted per tenant, also when two are sent at once, and no number is given twice', async () => {
  const before = Math.max(...(await listTickets('a')).map(({ number }) => number ?? 0))
  const sent = await Promise.all([send(ticket), send(ticket)])
  expect(sent.map(({ body }) => body.number).toSorted((one, other) => one - other)).toEqual([before + 1, before + 2])
  await server.database.transaction({ tenantId: 'a' }, (db) =>
    db
      .deleteFrom('tickets')
      .where('number', '=', before + 2)
      .execute(),
  )
  expect((await send(ticket)).body.number).toBe(before + 3)
})

test('the ticket of a signed-in user names the user and is recorded in the audit log', async () => {
  const { access } = await server.signIn('a')
  expect((await send(ticket, { token: access })).status).toBe(200)
  expect((await listTickets('a')).at(-1)?.user_id).not.toBeNull()
  const [entry] = await server.database.transaction({ tenantId: 'a' }, (db) => listEntries(db, 'a', {}, 1))
  expect(entry).toMatchObject({ action: 'ticket.create', performer: 'someone@mail.example' })
})

test('refuses an expired token, so that the page renews it, and a token of another tenant', async () => {
  const { access } = await server.signIn('b')
  for (const token of ['nonsense', access]) expect((await send(ticket, { token })).status).toBe(401)
})

test('refuses a line break in a name or address and stores nothing', async () => {
  const before = (await listTickets('a')).length
  for (const bad of [
    { ...ticket, name: 'Ann\r\nBcc: victim@mail.example' },
    { ...ticket, email: 'ann@mail.example\r\nBcc: victim@mail.example' },
    { ...ticket, email: 'ann@mail.example,victim@mail.example' },
    { ...ticket, message: '' },
    { ...ticket, subject: 'other' },
    { ...ticket, page: 'https://evil.example/' },
    { ...ticket, conversation: Array.from({ length: 21 }, () => ({ question: 'What?', answer: '' })) },
  ])
    expect((await send(bad)).status).toBe(400)
  expect((await listTickets('a')).length).toBe(before)
})

test('returns 404 for a tenant without a ticket form', async () => {
  expect((await send(ticket, { tenant: 'b' })).status).toBe(404)
})

test('accepts ten tickets an hour from one address, whatever X-Forwarded-For says', async () => {
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
  expect(refused.headers['retry-after']).toBe('360')
  expect((await listTickets('a')).length).toBe(before)
})

test('visitors of a /56 have a limit in common, and all visitors together; users are not affected by them', async () => {
  const { access } = await server.signIn('a')
  const from = async (remoteAddress: string, token?: string) => {
    const authorization = token && { authorization: `Bearer ${token}` }
    const headers = { host: 'a.example', ...authorization }
    return (await server.app.inject({ method: 'POST', url: '/api/ticket/', headers, remoteAddress, payload: ticket }))
      .statusCode
  }
  let accepted = 0
  for (let at = 1; at <= 50; at++) if ((await from(`2001:db8:1:${at.toString(16)}::1`)) === 200) accepted++
  expect(accepted).toBe(40)
  await server.database.transaction({ tenantId: 'a' }, async (db) => {
    const [common] = listTicketLimits({ address: '' } as AnonymousContext).slice(-1)
    for (let count = 0; count < 300; count++) await tryConsume(db, 'a', [common as RateLimit], server.clock.now)
  })
  expect(await from('203.0.113.9')).toBe(429)
  expect(await from('203.0.113.9', access)).toBe(200)
})
