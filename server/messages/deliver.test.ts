import { expect, test } from 'vitest'
import { queueMail } from './queue-mail.ts'
import { createMailTransport } from './smtp-transport.ts'
import { MINUTE_MS, setupDelivery } from './testing/setup-delivery.ts'

const context = setupDelivery()
const { delivery, queue, find, pass } = context

test('delivers a queued mail as text and HTML, from the company, with its reply address and id', async () => {
  const id = await queue({ replyTo: 'visitor@mail.example' })
  await delivery().deliverDue('a')
  const [mail] = context.post.mails
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
  const undone = context.server.database.transaction({ tenantId: 'a' }, async (db) => {
    await queueMail(db, 'a', { to: 'someone@mail.example', subject: 'No', text: 'No', html: 'No' })
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await delivery().deliverDue('a')
  expect(context.post.mails).toEqual([])
})

test('retries a recipient that the server defers, but not one that it refuses', async () => {
  const bad = await queue({ to: 'nobody@mail.example' })
  const slow = await queue({ to: 'later@mail.example' })
  const good = await queue()
  context.post.behavior.recipientCode = (address) =>
    ({ 'nobody@mail.example': 550, 'later@mail.example': 451 })[address]
  const round = delivery()
  await round.deliverDue('a')
  expect(await find(bad)).toMatchObject({ state: 'failed', attempts: 1 })
  expect(await find(slow)).toMatchObject({ state: 'queued', attempts: 1 })
  expect((await find(good)).state).toBe('sent')
  context.post.behavior.recipientCode = () => undefined
  pass(MINUTE_MS)
  expect(await round.deliverDue('a')).toBeUndefined()
  expect((await find(slow)).state).toBe('sent')
  expect(context.post.mails).toHaveLength(2)
})

test('a pause ends when the clock is set back by hours', async () => {
  await queue()
  pass(300 * MINUTE_MS)
  const round = delivery()
  context.post.behavior.next = () => 'drops before taking'
  await round.deliverDue('a')
  pass(-300 * MINUTE_MS)
  context.post.behavior.next = () => 'takes'
  const next = await queue()
  await round.deliverDue('a')
  expect((await find(next)).state).toBe('sent')
})

test('a mail that was queued or postponed while the clock was a day ahead is sent after it was corrected', async () => {
  const postponed = await queue({ to: 'later@mail.example' })
  pass(24 * 60 * MINUTE_MS)
  context.post.behavior.recipientCode = () => 451
  const round = delivery()
  await round.deliverDue('a')
  expect(await find(postponed)).toMatchObject({ state: 'queued', attempts: 1 })
  context.post.behavior.recipientCode = () => undefined
  pass(-24 * 60 * MINUTE_MS)
  const next = await delivery().deliverDue('a')
  expect((await find(postponed)).state).toBe('sent')
  expect(next).toBeUndefined()
})

test('a domain at which the server hangs delays neither others nor other tenants, and is tried with pauses', async () => {
  const slow = []
  for (let index = 0; index < 6; index++) slow.push(await queue({ to: `user${index}@slow.example` }))
  const others = [await queue(), await queue()]
  const foreign = await queue({ to: 'user@slow.example' }, 'b')
  const tried: string[] = []
  let isSlow = true
  const { deliverDue } = context.deliverWith({
    transport: {
      channel: 'email',
      send: async ({ recipient, messageId }) => {
        if (!recipient.endsWith('@slow.example') || !messageId.endsWith('@a.dishboard>')) return { kind: 'sent' }
        tried.push(recipient)
        return isSlow ? { kind: 'timed out', reason: 'Timeout' } : { kind: 'sent' }
      },
      close: () => {},
    },
  })
  await deliverDue('a')
  await deliverDue('b')
  for (const id of others) expect((await find(id)).state).toBe('sent')
  expect((await find(foreign, 'b')).state).toBe('sent')
  // One per lane.
  expect(tried.length).toBeLessThanOrEqual(2)
  for (const id of slow) expect((await find(id)).state).toBe('queued')
  isSlow = false
  pass(6 * MINUTE_MS)
  await deliverDue('a')
  pass(6 * MINUTE_MS)
  await deliverDue('a')
  for (const id of slow) expect((await find(id)).state).toBe('sent')
})

test('a server that hangs at each mail gets no further ones for a while', async () => {
  for (let index = 0; index < 12; index++) await queue({ to: `user@domain${index}.example` })
  let sends = 0
  const { deliverDue } = context.deliverWith({
    transport: {
      channel: 'email',
      send: async () => {
        sends++
        return { kind: 'timed out', reason: 'Timeout' }
      },
      close: () => {},
    },
  })
  const next = await deliverDue('a')
  expect(sends).toBeLessThanOrEqual(6)
  expect(next?.getTime()).toBeGreaterThan(context.server.clock.now.getTime())
})

test('a mail at which the server hangs has timed out, and is not taken for a server that is away', async () => {
  context.post.behavior.next = (recipient) => (recipient === 'slow@mail.example' ? 'hangs after taking' : 'takes')
  const transport = createMailTransport(context.post.url, async () => undefined, { connect: 20_000, response: 500 })
  const mail = {
    id: '1',
    channel: 'email' as const,
    replyTo: null,
    subject: 'Slow',
    text: 'Slow',
    html: null,
    listHeaders: {},
    messageId: '<1@a.dishboard>',
    attachments: [],
    from: { name: 'Company', address: 'a@sender.example' },
    attemptedAt: null,
    recipient: 'slow@mail.example',
  }
  expect(await transport.send(mail)).toEqual({ kind: 'timed out', reason: 'Timeout' })
  transport.close()
})

test('concurrent processes send each mail once', async () => {
  for (let number = 0; number < 12; number++) await queue({ subject: `Mail ${number}` })
  await Promise.all([delivery(), delivery()].map(({ deliverDue }) => deliverDue('a')))
  expect(new Set(context.post.mails.map((mail) => mail.header('Subject'))).size).toBe(12)
  expect(context.post.mails).toHaveLength(12)
})

test('sends a mail only in the name of its own tenant', async () => {
  await queue({}, 'b')
  const round = delivery()
  await round.deliverDue('a')
  expect(context.post.mails).toEqual([])
  await round.deliverDue('b')
  expect(context.post.mails[0]?.header('From')).toBe('Company b <portal@sender.example>')
})

test('erases the body of a mail with a secret once it is sent', async () => {
  const id = await queue({ sealWith: context.server.services.secrets, text: 'Your code is 123456' })
  await delivery().deliverDue('a')
  expect(context.post.mails[0]?.part('text/plain')).toContain('123456')
  expect(await find(id)).toMatchObject({ state: 'sent', text: '', html: null, sealed_body: null })
})

test('does not send an expired mail', async () => {
  const id = await queue({ expiresAt: new Date(context.server.clock.now.getTime() + 10 * MINUTE_MS) })
  pass(11 * MINUTE_MS)
  await delivery().deliverDue('a')
  expect(context.post.mails).toEqual([])
  expect((await find(id)).state).toBe('failed')
})

test('a line break in a subject starts no header, and one in an address is refused', async () => {
  await queue({ subject: 'Hello\r\nBcc: victim@mail.example' })
  await delivery().deliverDue('a')
  expect(context.post.mails[0]?.header('Bcc')).toBeUndefined()
  expect(context.post.mails[0]?.to).toEqual(['someone@mail.example'])
  await expect(queue({ replyTo: 'a@b.example\r\nBcc: victim@mail.example' })).rejects.toThrow()
  await expect(queue({ to: 'a@b.example\nx' })).rejects.toThrow()
})

test('refuses an address that a header would read as two', async () => {
  for (const address of ['a,b@mail.example', 'a;b@mail.example', 'a@mail.example>,<b', 'a"@mail.example', 'nobody'])
    await expect(queue({ replyTo: address })).rejects.toThrow('not an email address')
})
