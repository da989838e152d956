import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { type SmsMood, startSmsGateway, type TestSmsGateway } from '../testing/sms-gateway.ts'
import { createDelivery } from './deliver.ts'
import { queueSms } from './queue-sms.ts'
import { createSmsCourier } from './sms.ts'

const MINUTE_MS = 60_000

let server: TestServer
let gateway: TestSmsGateway
const couriers: ReturnType<typeof createSmsCourier>[] = []

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  gateway = await startSmsGateway()
  gateway.moods.now = () => server.clock.now
  server.clock.now = new Date(Date.now() + MINUTE_MS)
  await server.database.transaction({ tenantId: 'a' }, (db) => db.deleteFrom('messages').execute())
})
afterEach(async () => {
  for (const courier of couriers.splice(0)) courier.close()
  await gateway.close()
})

const delivery = () => {
  const courier = createSmsCourier(gateway.settings)
  couriers.push(courier)
  return createDelivery({
    database: server.database,
    courier,
    mailFrom: undefined,
    log: pino({ level: 'silent' }),
    now: () => server.clock.now,
  })
}

let number = 0
const queue = () => {
  number++
  return server.database.transaction({ tenantId: 'a' }, (db) =>
    queueSms(db, 'a', {
      to: '9075550101',
      text: `Terminal ${number} is offline. Reply STOP to opt out.`,
      notice: {},
      notBefore: server.clock.now,
      expiresAt: new Date(server.clock.now.getTime() + 12 * 60 * MINUTE_MS),
    }),
  )
}

const list = () =>
  server.database.transaction({ tenantId: 'a' }, (db) => db.selectFrom('messages').selectAll().execute())
const stateOf = async (id: string) => (await list()).find((row) => row.id === id)?.state
const pass = (ms: number) => {
  server.clock.now = new Date(server.clock.now.getTime() + ms)
}

/** Delivers again and again, as hours pass. */
const deliverThroughout = async (minutes: number, deliveries = [delivery()]) => {
  for (let minute = 0; minute < minutes; minute++) {
    await Promise.all(deliveries.map((each) => each.deliverDue('a')))
    if ((await list()).every(({ state }) => !['queued', 'sending'].includes(state))) return
    pass(MINUTE_MS)
  }
}

const inMood = (...moods: SmsMood[]) => {
  gateway.moods.next = () => moods.shift() ?? 'takes'
}

test('a text leaves with its number, and the gateway’s name for it is kept', async () => {
  const id = await queue()
  await delivery().deliverDue('a')
  expect(gateway.taken).toMatchObject([{ to: '+19075550101', from: '+19075550199' }])
  expect((await list()).find((row) => row.id === id)).toMatchObject({ state: 'sent', gateway_id: 'SM1' })
})

test('a number that the gateway refuses is not tried again', async () => {
  inMood('refuses')
  const id = await queue()
  await deliverThroughout(30)
  expect(gateway.taken).toEqual([])
  expect(await stateOf(id)).toBe('failed')
})

for (const mood of [
  'answers 429',
  'answers 500',
  'drops before taking',
  'drops after taking',
  'takes and answers 500',
] as const)
  test(`a gateway that ${mood} gets the text once`, async () => {
    inMood(mood, mood)
    const id = await queue()
    await deliverThroughout(60)
    expect(gateway.taken).toHaveLength(1)
    expect(await stateOf(id)).toBe('sent')
  })

test('while nobody can look it up, a text whose fate is unknown is not sent again', async () => {
  inMood('drops after taking')
  gateway.moods.listWorks = false
  const id = await queue()
  await deliverThroughout(120)
  expect(gateway.taken).toHaveLength(1)
  expect(await stateOf(id)).toBe('sending')
  pass(4 * 1440 * MINUTE_MS)
  await delivery().deliverDue('a')
  expect(await stateOf(id)).toBe('unknown')
  expect(gateway.taken).toHaveLength(1)
})

test('a gateway out of reach for half an hour loses and doubles nothing', async () => {
  const closed = gateway
  await closed.close()
  const ids = [await queue(), await queue(), await queue()]
  const first = delivery()
  for (let minute = 0; minute < 30; minute++) {
    await first.deliverDue('a')
    pass(MINUTE_MS)
  }
  gateway = await startSmsGateway()
  gateway.moods.now = () => server.clock.now
  await deliverThroughout(30)
  expect(gateway.taken).toHaveLength(ids.length)
  expect((await list()).map(({ state }) => state)).toEqual(['sent', 'sent', 'sent'])
})

test('two processes and a gateway of bad moods: every text arrives once', async () => {
  const moods: SmsMood[] = ['answers 500', 'takes', 'drops after taking', 'answers 429', 'takes and answers 500']
  let turn = 0
  gateway.moods.next = () => (turn < 40 ? (moods[turn++ % moods.length] as SmsMood) : 'takes')
  for (let count = 0; count < 12; count++) await queue()
  await deliverThroughout(600, [delivery(), delivery()])
  const rows = await list()
  const bodies = gateway.taken.map(({ body }) => body)
  const lost = rows.filter(({ text }) => !bodies.includes(text)).length
  const doubled = bodies.length - new Set(bodies).size
  console.log(`texts queued ${rows.length}, lost ${lost}, doubled ${doubled}`)
  expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 })
})
