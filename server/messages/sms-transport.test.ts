import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { type SmsBehavior, startSmsGateway, type TestSmsGateway } from '../testing/sms-gateway.ts'
import { createDelivery } from './deliver.ts'
import { queueSms } from './queue-sms.ts'
import { createSmsTransport } from './sms-transport.ts'
import type { OutgoingMessage } from './transport.ts'

const MINUTE_MS = 60_000

let server: TestServer
let gateway: TestSmsGateway
const transports: ReturnType<typeof createSmsTransport>[] = []

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  gateway = await startSmsGateway()
  gateway.behavior.now = () => server.clock.now
  server.clock.now = new Date(Date.now() + MINUTE_MS)
  await server.database.transaction({ tenantId: 'a' }, (db) => db.deleteFrom('messages').execute())
})
afterEach(async () => {
  for (const transport of transports.splice(0)) transport.close()
  await gateway.close()
})

// A gateway that responds may be slow on a busy machine. One that hangs needs only a short timeout.
const LONG_TIMEOUT_MS = 20_000
const SHORT_TIMEOUT_MS = 100

const delivery = (timeoutMs = LONG_TIMEOUT_MS) => {
  const transport = createSmsTransport(gateway.settings, timeoutMs)
  transports.push(transport)
  return createDelivery({
    database: server.database,
    secrets: server.services.secrets,
    transport,
    mailFrom: undefined,
    log: pino({ level: 'silent' }),
    now: () => server.clock.now,
  })
}

test('a redirect is not followed, and the text waits until the operator has mended the address', async () => {
  const redirecting = createServer((request, response) =>
    response.writeHead(307, { location: `${gateway.settings.apiUrl}${request.url}` }).end(),
  )
  redirecting.listen(0, '127.0.0.1')
  await once(redirecting, 'listening')
  const apiUrl = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}`
  const transport = createSmsTransport({ ...gateway.settings, apiUrl })
  const message = { recipient: '+19075550101', text: 'Your code is 123456.' } as OutgoingMessage
  expect(await transport.send(message)).toMatchObject({ kind: 'unreachable' })
  expect(gateway.taken).toEqual([])
  redirecting.close()
  redirecting.closeAllConnections()
})

let number = 0
const queue = () => {
  number++
  return server.database.transaction({ tenantId: 'a' }, (db) =>
    queueSms(db, 'a', {
      to: '+19075550101',
      text: `Terminal ${number} is offline. Reply STOP to opt out.`,
      notice: {},
      notBefore: server.clock.now,
      expiresAt: new Date(server.clock.now.getTime() + 12 * 60 * MINUTE_MS),
    }),
  )
}

const list = () =>
  server.database.transaction({ tenantId: 'a' }, (db) => db.selectFrom('messages').selectAll().execute())
const findState = async (id: string) => (await list()).find((row) => row.id === id)?.state
const pass = (ms: number) => {
  server.clock.now = new Date(server.clock.now.getTime() + ms)
}

/** Delivers once a minute on the test clock until everything is done. */
const deliverThroughout = async (minutes: number, deliveries = [delivery()]) => {
  for (let minute = 0; minute < minutes; minute++) {
    await Promise.all(deliveries.map((each) => each.deliverDue('a')))
    if ((await list()).every(({ state }) => !['queued', 'sending'].includes(state))) return
    pass(MINUTE_MS)
  }
}

const behaveAs = (...actions: SmsBehavior[]) => {
  gateway.behavior.next = () => actions.shift() ?? 'takes'
}

test('sends a text from our number and stores the gateway’s id for it', async () => {
  const id = await queue()
  await delivery().deliverDue('a')
  expect(gateway.taken).toMatchObject([{ to: '+19075550101', from: '+19075550199' }])
  expect((await list()).find((row) => row.id === id)).toMatchObject({ state: 'sent', gateway_id: 'SM1' })
})

test('does not retry a number that the gateway refuses', async () => {
  behaveAs('refuses')
  const id = await queue()
  await deliverThroughout(30)
  expect(gateway.taken).toEqual([])
  expect(await findState(id)).toBe('failed')
})

for (const action of [
  'answers 429',
  'answers 500',
  'drops before taking',
  'drops after taking',
  'takes and answers 500',
  'hangs',
  'hangs after taking',
] as const)
  test(`a gateway that ${action} gets the text once`, async () => {
    behaveAs(action, action)
    const id = await queue()
    await deliverThroughout(12, [delivery(action.startsWith('hangs') ? SHORT_TIMEOUT_MS : LONG_TIMEOUT_MS)])
    await deliverThroughout(60)
    expect(gateway.taken).toHaveLength(1)
    expect(await findState(id)).toBe('sent')
  })

test('does not send a text with an unknown outcome again while it cannot be looked up', async () => {
  behaveAs('drops after taking')
  gateway.behavior.list = 'answers 500'
  const id = await queue()
  await deliverThroughout(120)
  expect(gateway.taken).toHaveLength(1)
  expect(await findState(id)).toBe('sending')
  pass(4 * 1440 * MINUTE_MS)
  await delivery().deliverDue('a')
  expect(await findState(id)).toBe('unknown')
  expect(gateway.taken).toHaveLength(1)
})

test('looks a text up again after a lookup that hangs, and does not send it again', async () => {
  behaveAs('drops after taking')
  gateway.behavior.list = 'hangs'
  const id = await queue()
  await deliverThroughout(20, [delivery(SHORT_TIMEOUT_MS)])
  expect(await findState(id)).toBe('sending')
  gateway.behavior.list = 'answers'
  await deliverThroughout(20)
  expect(await findState(id)).toBe('sent')
  expect(gateway.taken).toHaveLength(1)
})

test('a worker that stalled past its lease neither sends nor overwrites a newer outcome', async () => {
  const transport = createSmsTransport(gateway.settings)
  transports.push(transport)
  const stalls = { beforeSending: false, afterSending: false }
  const ages: number[] = []
  const held = createDelivery({
    database: server.database,
    secrets: server.services.secrets,
    transport: {
      ...transport,
      send: async (message) => {
        ages.push(server.clock.now.getTime() - (message.attemptedAt as Date).getTime())
        if (!stalls.afterSending) return transport.send(message)
        pass(6 * MINUTE_MS)
        await deliverThroughout(10)
        return { kind: 'deferred', reason: 'It was put off.' }
      },
    },
    mailFrom: undefined,
    log: pino({ level: 'silent' }),
    now: () => server.clock.now,
    revalidate: async (_db, _tenantId, row) => {
      if (stalls.beforeSending) pass(6 * MINUTE_MS)
      stalls.beforeSending = false
      return row
    },
  })
  stalls.afterSending = true
  const first = await queue()
  await held.deliverDue('a')
  expect(await findState(first)).toBe('sent')
  stalls.afterSending = false
  stalls.beforeSending = true
  const second = await queue()
  await held.deliverDue('a')
  expect(await findState(second)).toBe('sent')
  expect(ages).toEqual([0, 0])
  expect(gateway.taken).toHaveLength(2)
})

for (const fault of ['is away', 'hangs', 'answers 500', 'answers 429', 'drops before taking'] as const)
  test(`a gateway that ${fault} for half an hour loses and doubles nothing`, async () => {
    const { settings } = gateway
    if (fault === 'is away') await gateway.close()
    else gateway.behavior.next = () => fault
    gateway.behavior.list = fault === 'hangs' ? 'hangs' : 'answers'
    const ids = [await queue(), await queue(), await queue()]
    const during = delivery(SHORT_TIMEOUT_MS)
    for (let minute = 0; minute < 30; minute++) {
      await during.deliverDue('a')
      pass(MINUTE_MS)
    }
    expect(gateway.taken).toEqual([])
    if (fault === 'is away') {
      gateway = await startSmsGateway(Number(new URL(settings.apiUrl).port))
      gateway.behavior.now = () => server.clock.now
    }
    gateway.behavior.list = 'answers'
    behaveAs()
    await deliverThroughout(30)
    const lost = ids.length - new Set(gateway.taken.map(({ body }) => body)).size
    const doubled = gateway.taken.length - ids.length + lost
    console.log(`a gateway that ${fault} for 30 minutes: texts ${ids.length}, lost ${lost}, doubled ${doubled}`)
    expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 })
    expect((await list()).map(({ state }) => state)).toEqual(['sent', 'sent', 'sent'])
  })

test('two processes deliver every text once through a gateway that misbehaves', async () => {
  const actions: SmsBehavior[] = ['answers 500', 'takes', 'drops after taking', 'answers 429', 'takes and answers 500']
  let turn = 0
  gateway.behavior.next = () => (turn < 40 ? (actions[turn++ % actions.length] as SmsBehavior) : 'takes')
  for (let count = 0; count < 12; count++) await queue()
  await deliverThroughout(600, [delivery(), delivery()])
  const rows = await list()
  const bodies = gateway.taken.map(({ body }) => body)
  const lost = rows.filter(({ text }) => !bodies.includes(text)).length
  const doubled = bodies.length - new Set(bodies).size
  console.log(`texts queued ${rows.length}, lost ${lost}, doubled ${doubled}`)
  expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 })
})
