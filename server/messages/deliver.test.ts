import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type MailServer, startMailServer } from '../testing/mail-server.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { createDelivery } from './deliver.ts'
import { type Mail, queueMail } from './queue-mail.ts'
import { createMailTransport } from './smtp-transport.ts'
import type { MessageTransport, SendResult } from './transport.ts'

const log = pino({ level: 'silent' })
const MINUTE_MS = 60_000

let server: TestServer
let post: MailServer
const transports: ReturnType<typeof createMailTransport>[] = []

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  post = await startMailServer()
  // Ahead of the database's clock, so that a message that was just queued is due.
  server.clock.now = new Date(Date.now() + MINUTE_MS)
  for (const tenantId of ['a', 'b'])
    await server.database.transaction({ tenantId }, (db) => db.deleteFrom('messages').execute())
})
afterEach(async () => {
  for (const transport of transports.splice(0)) transport.close()
  await post.close()
})

// A server that responds may be slow on a busy machine. One that hangs needs only a short timeout.
const LONG_TIMEOUTS_MS = { connect: 20_000, response: 20_000 }
const SHORT_CONNECT_MS = { connect: 100, response: 20_000 }
const SHORT_RESPONSE_MS = { connect: 20_000, response: 500 }

const delivery = (limitsMs = LONG_TIMEOUTS_MS) => {
  const transport = createMailTransport(post.url, async () => undefined, limitsMs)
  transports.push(transport)
  return createDelivery({
    database: server.database,
    secrets: server.services.secrets,
    transport,
    mailFrom: 'portal@sender.example',
    log,
    now: () => server.clock.now,
  })
}

const queue = (mail: Partial<Mail> = {}, tenantId = 'a') =>
  server.database.transaction({ tenantId }, (db) =>
    queueMail(db, tenantId, {
      to: 'someone@mail.example',
      subject: 'Nome School is offline',
      text: 'It is offline.\n',
      html: '<p>It is <b>offline</b>.</p>',
      ...mail,
    }),
  )

const find = (id: string, tenantId = 'a') =>
  server.database.transaction({ tenantId }, (db) =>
    db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  )

const pass = (ms: number) => {
  server.clock.now = new Date(server.clock.now.getTime() + ms)
}

test('delivers a queued mail as text and HTML, from the company, with its reply address and id', async () => {
  const id = await queue({ replyTo: 'visitor@mail.example' })
  await delivery().deliverDue('a')
  const [mail] = post.mails
  expect(mail?.to).toEqual(['someone@mail.example'])
  expect(mail?.header('From')).toBe('Company a <portal@sender.example>')
  expect(mail?.header('Reply-To')).toBe('visitor@mail.example')
  expect(mail?.header('Subject')).toBe('Nome School is offline')
  expect(mail?.header('Message-ID')).toBe((await find(id)).message_id)
  expect(mail?.part('text/plain')).toContain('It is offline.')
  expect(mail?.part('text/html')).toContain('<b>offline</b>')
  expect(await find(id)).toMatchObject({ state: 'sent', attempts: 1, text: 'It is offline.\n' })
})

test('never sends a mail whose transaction was rolled back', async () => {
  const undone = server.database.transaction({ tenantId: 'a' }, async (db) => {
    await queueMail(db, 'a', { to: 'someone@mail.example', subject: 'No', text: 'No', html: 'No' })
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await delivery().deliverDue('a')
  expect(post.mails).toEqual([])
})

const faults: Record<string, (server: MailServer) => unknown> = {
  'is away': (server) => server.close(),
  'does not greet': ({ behavior }) => {
    behavior.greets = false
  },
  'refuses our address': ({ behavior }) => {
    behavior.senderCode = 550
  },
  'puts everything off': ({ behavior }) => {
    behavior.next = () => 'puts off'
  },
  'drops connections': ({ behavior }) => {
    behavior.next = () => 'drops before taking'
  },
}

const reasons: Record<string, RegExp> = {
  'is away': /ECONNREFUSED/,
  'does not greet': /Greeting never received/,
  'refuses our address': /550/,
  'puts everything off': /451/,
  'drops connections': /closed|reset|hang/i,
}

for (const [fault, begin] of Object.entries(faults))
  test(`a mail server that ${fault} for half an hour loses and doubles nothing`, async () => {
    const ids = [await queue(), await queue(), await queue()]
    const { port } = post
    await begin(post)
    const during = delivery(fault === 'does not greet' ? SHORT_CONNECT_MS : LONG_TIMEOUTS_MS)
    const end = server.clock.now.getTime() + 30 * MINUTE_MS
    while (server.clock.now.getTime() < end) {
      const next = await during.deliverDue('a')
      expect(next?.getTime()).toBeGreaterThan(server.clock.now.getTime())
      server.clock.now = next as Date
    }
    for (const id of ids)
      expect(await find(id)).toMatchObject({
        state: 'queued',
        last_error: expect.stringMatching(reasons[fault] as RegExp),
      })
    expect(post.mails).toEqual([])
    if (fault !== 'is away') await post.close()
    post = await startMailServer(port)
    pass(6 * MINUTE_MS)
    await delivery().deliverDue('a')
    const arrived = post.mails.map((mail) => mail.header('Message-ID'))
    const lost = ids.length - new Set(arrived).size
    const doubled = arrived.length - new Set(arrived).size
    console.log(`a mail server that ${fault} for 30 minutes: mails ${ids.length}, lost ${lost}, doubled ${doubled}`)
    expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 })
  })

for (const action of ['hangs after taking', 'drops after taking'] as const)
  test(`a mail server that ${action} gets the mail again under the same id`, async () => {
    const id = await queue()
    post.behavior.next = () => action
    while (post.mails.length === 0) {
      await delivery(action === 'hangs after taking' ? SHORT_RESPONSE_MS : LONG_TIMEOUTS_MS).deliverDue('a')
      expect((await find(id)).state).toBe('queued')
      pass(MINUTE_MS)
    }
    post.behavior.next = () => 'takes'
    await delivery().deliverDue('a')
    expect((await find(id)).state).toBe('sent')
    expect(post.mails.map((mail) => mail.header('Message-ID'))).toEqual(
      Array.from(post.mails, () => `<${id}@a.dishboard>`),
    )
    expect(post.mails.length).toBeGreaterThan(1)
  })

test('retries a recipient that the server defers, but not one that it refuses', async () => {
  const bad = await queue({ to: 'nobody@mail.example' })
  const slow = await queue({ to: 'grey@mail.example' })
  const good = await queue()
  post.behavior.recipientCode = (address) => ({ 'nobody@mail.example': 550, 'grey@mail.example': 451 })[address]
  const round = delivery()
  await round.deliverDue('a')
  expect(await find(bad)).toMatchObject({ state: 'failed', attempts: 1 })
  expect(await find(slow)).toMatchObject({ state: 'queued', attempts: 1 })
  expect((await find(good)).state).toBe('sent')
  post.behavior.recipientCode = () => undefined
  pass(MINUTE_MS)
  expect(await round.deliverDue('a')).toBeUndefined()
  expect((await find(slow)).state).toBe('sent')
  expect(post.mails).toHaveLength(2)
})

test('a mail whose process dies while sending is sent by another process with the same id', async () => {
  await queue()
  post.behavior.next = () => 'hangs after taking'
  void delivery().deliverDue('a')
  await expect.poll(() => post.mails.length).toBe(1)
  await delivery().deliverDue('a')
  expect(post.mails).toHaveLength(1)
  post.behavior.next = () => 'takes'
  pass(6 * MINUTE_MS)
  await delivery().deliverDue('a')
  expect(post.mails).toHaveLength(2)
  expect(post.mails[1]?.header('Message-ID')).toBe(post.mails[0]?.header('Message-ID'))
})

/** A transport whose results the test decides. */
const deliveryWith = (send: MessageTransport['send'], lookUp?: MessageTransport['lookUp']) =>
  createDelivery({
    database: server.database,
    secrets: server.services.secrets,
    transport: { channel: 'email', send, ...(lookUp && { lookUp }), close: () => {} },
    mailFrom: 'portal@sender.example',
    log,
    now: () => server.clock.now,
  })

for (const late of [
  { kind: 'refused', reason: 'late' },
  { kind: 'deferred', reason: 'late' },
  { kind: 'unknown', reason: 'late' },
] satisfies SendResult[])
  test(`a worker that stalled past its lease does not overwrite a newer outcome with "${late.kind}"`, async () => {
    const id = await queue()
    const called = Promise.withResolvers<void>()
    const result = Promise.withResolvers<SendResult>()
    const stalled = deliveryWith(() => {
      called.resolve()
      return result.promise
    }).deliverDue('a')
    await called.promise
    pass(6 * MINUTE_MS)
    await delivery().deliverDue('a')
    const newer = await find(id)
    expect(newer).toMatchObject({ state: 'sent', attempts: 2, last_error: null })
    result.resolve(late)
    await stalled
    expect(await find(id)).toEqual(newer)
  })

test('a transport that throws for one message does not stop the tenant’s other messages', async () => {
  const bad = await queue({ subject: 'throws' })
  const others = [await queue(), await queue(), await queue()]
  const round = deliveryWith(async ({ subject }) => {
    if (subject === 'throws') throw new Error('a fault in the transport')
    return { kind: 'sent' }
  })
  const next = await round.deliverDue('a')
  for (const id of others) expect((await find(id)).state).toBe('sent')
  const postponed = await find(bad)
  expect(postponed).toMatchObject({ state: 'queued', attempts: 1, last_error: 'Error: a fault in the transport' })
  expect(next).toEqual(postponed.due_at)
  pass(4 * 86_400_000)
  await round.deliverDue('a')
  expect(await find(bad)).toMatchObject({ state: 'failed', last_error: expect.stringContaining('given up') })
})

test('a message whose send or lookup throws is looked up before it is sent again', async () => {
  const id = await queue()
  let lookups = 0
  const round = deliveryWith(
    async () => {
      throw new Error('the connection may have broken after the text was accepted')
    },
    async () => {
      if (++lookups === 1) throw new Error('the lookup failed')
      return { kind: 'sent' }
    },
  )
  await round.deliverDue('a')
  expect((await find(id)).state).toBe('sending')
  pass(6 * MINUTE_MS)
  await round.deliverDue('a')
  expect(await find(id)).toMatchObject({ state: 'sending', last_error: 'Error: the lookup failed' })
  pass(6 * MINUTE_MS)
  await round.deliverDue('a')
  expect((await find(id)).state).toBe('sent')
})

test('a notice that cannot be revalidated is postponed, and the tenant’s other messages are sent', async () => {
  const bad = await queue({ notice: { about: 'a fault' } })
  const good = await queue()
  const round = createDelivery({
    database: server.database,
    secrets: server.services.secrets,
    transport: { channel: 'email', send: async () => ({ kind: 'sent' }), close: () => {} },
    mailFrom: undefined,
    log,
    now: () => server.clock.now,
    revalidate: async (db) => {
      await sql`select 1 / 0`.execute(db)
      return { withdrawn: 'unreachable' }
    },
  })
  await round.deliverDue('a')
  expect((await find(good)).state).toBe('sent')
  expect(await find(bad)).toMatchObject({ state: 'queued', last_error: expect.stringContaining('division by zero') })
})

test('concurrent processes send each mail once', async () => {
  for (let number = 0; number < 12; number++) await queue({ subject: `Mail ${number}` })
  await Promise.all([delivery(), delivery()].map(({ deliverDue }) => deliverDue('a')))
  expect(new Set(post.mails.map((mail) => mail.header('Subject'))).size).toBe(12)
  expect(post.mails).toHaveLength(12)
})

test('sends a mail only in the name of its own tenant', async () => {
  await queue({}, 'b')
  const round = delivery()
  await round.deliverDue('a')
  expect(post.mails).toEqual([])
  await round.deliverDue('b')
  expect(post.mails[0]?.header('From')).toBe('Company b <portal@sender.example>')
})

test('erases the body of a mail with a secret once it is sent', async () => {
  const id = await queue({ sealWith: server.services.secrets, text: 'Your code is 123456' })
  await delivery().deliverDue('a')
  expect(post.mails[0]?.part('text/plain')).toContain('123456')
  expect(await find(id)).toMatchObject({ state: 'sent', text: '', html: null, sealed_body: null })
})

test('does not send an expired mail', async () => {
  const id = await queue({ expiresAt: new Date(server.clock.now.getTime() + 10 * MINUTE_MS) })
  pass(11 * MINUTE_MS)
  await delivery().deliverDue('a')
  expect(post.mails).toEqual([])
  expect((await find(id)).state).toBe('failed')
})

test('a line break in a subject starts no header, and one in an address is refused', async () => {
  await queue({ subject: 'Hello\r\nBcc: victim@mail.example' })
  await delivery().deliverDue('a')
  expect(post.mails[0]?.header('Bcc')).toBeUndefined()
  expect(post.mails[0]?.to).toEqual(['someone@mail.example'])
  await expect(queue({ replyTo: 'a@b.example\r\nBcc: victim@mail.example' })).rejects.toThrow()
  await expect(queue({ to: 'a@b.example\nx' })).rejects.toThrow()
})

test('refuses an address that a header would read as two', async () => {
  for (const address of ['a,b@mail.example', 'a;b@mail.example', 'a@mail.example>,<b', 'a"@mail.example', 'nobody'])
    await expect(queue({ replyTo: address })).rejects.toThrow('not an e-mail address')
})
