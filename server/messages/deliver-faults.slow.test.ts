import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type MailServer, startMailServer } from '../testing/mail-server.ts'
import { LONG_TIMEOUTS_MS, MINUTE_MS, setupDelivery } from './testing/setup-delivery.ts'
import type { MessageTransport, SendResult } from './transport.ts'

const context = setupDelivery()
const { delivery, deliverWith, queue, find, pass } = context

const SHORT_CONNECT_MS = { connect: 100, response: 20_000 }
const SHORT_RESPONSE_MS = { connect: 20_000, response: 500 }

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
  // A busy machine may not even connect within the short timeout.
  'does not greet': /Greeting never received|Connection timeout/,
  'refuses our address': /550/,
  'puts everything off': /451/,
  'drops connections': /closed|reset|hang/i,
}

for (const [fault, begin] of Object.entries(faults))
  test(`a mail server that ${fault} for half an hour loses and doubles nothing`, async () => {
    const ids = [await queue(), await queue(), await queue()]
    const { port } = context.post
    await begin(context.post)
    const during = delivery(fault === 'does not greet' ? SHORT_CONNECT_MS : LONG_TIMEOUTS_MS)
    const end = context.server.clock.now.getTime() + 30 * MINUTE_MS
    while (context.server.clock.now.getTime() < end) {
      const next = await during.deliverDue('a')
      expect(next?.getTime()).toBeGreaterThan(context.server.clock.now.getTime())
      context.server.clock.now = next as Date
    }
    for (const id of ids)
      expect(await find(id)).toMatchObject({
        state: 'queued',
        last_error: expect.stringMatching(reasons[fault] as RegExp),
      })
    expect(context.post.mails).toEqual([])
    if (fault !== 'is away') await context.post.close()
    context.post = await startMailServer(port)
    pass(6 * MINUTE_MS)
    await delivery().deliverDue('a')
    const arrived = context.post.mails.map((mail) => mail.header('Message-ID'))
    const lost = ids.length - new Set(arrived).size
    const doubled = arrived.length - new Set(arrived).size
    console.log(`a mail server that ${fault} for 30 minutes: mails ${ids.length}, lost ${lost}, doubled ${doubled}`)
    expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 })
  })

for (const action of ['hangs after taking', 'drops after taking'] as const)
  test(`a mail server that ${action} gets the mail again under the same id`, async () => {
    const id = await queue()
    context.post.behavior.next = () => action
    while (context.post.mails.length === 0) {
      await delivery(action === 'hangs after taking' ? SHORT_RESPONSE_MS : LONG_TIMEOUTS_MS).deliverDue('a')
      expect((await find(id)).state).toBe('queued')
      pass(MINUTE_MS)
    }
    context.post.behavior.next = () => 'takes'
    await delivery().deliverDue('a')
    expect((await find(id)).state).toBe('sent')
    expect(context.post.mails.map((mail) => mail.header('Message-ID'))).toEqual(
      Array.from(context.post.mails, () => `<${id}@a.dishboard>`),
    )
    expect(context.post.mails.length).toBeGreaterThan(1)
  })

test('a mail whose process dies while sending is sent by another process with the same id', async () => {
  await queue()
  context.post.behavior.next = () => 'hangs after taking'
  void delivery().deliverDue('a')
  await expect.poll(() => context.post.mails.length).toBe(1)
  await delivery().deliverDue('a')
  expect(context.post.mails).toHaveLength(1)
  context.post.behavior.next = () => 'takes'
  pass(6 * MINUTE_MS)
  await delivery().deliverDue('a')
  expect(context.post.mails).toHaveLength(2)
  expect(context.post.mails[1]?.header('Message-ID')).toBe(context.post.mails[0]?.header('Message-ID'))
})

/** A delivery with results that the test decides. */
const deliverBy = (send: MessageTransport['send'], lookUp?: MessageTransport['lookUp']) =>
  deliverWith({ transport: { channel: 'email', send, ...(lookUp && { lookUp }), close: () => {} } })

for (const late of [
  { kind: 'refused', reason: 'late' },
  { kind: 'deferred', reason: 'late' },
  { kind: 'unknown', reason: 'late' },
] satisfies SendResult[])
  test(`a worker that stalled past its lease does not overwrite a newer outcome with "${late.kind}"`, async () => {
    const id = await queue()
    const called = Promise.withResolvers<void>()
    const result = Promise.withResolvers<SendResult>()
    const stalled = deliverBy(() => {
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
  const round = deliverBy(async ({ subject }) => {
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
  const round = deliverBy(
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
  const round = deliverWith({
    transport: { channel: 'email', send: async () => ({ kind: 'sent' }), close: () => {} },
    revalidate: async (db) => {
      await sql`select 1 / 0`.execute(db)
      return { withdrawn: 'unreachable' }
    },
  })
  await round.deliverDue('a')
  expect((await find(good)).state).toBe('sent')
  expect(await find(bad)).toMatchObject({ state: 'queued', last_error: expect.stringContaining('division by zero') })
})
