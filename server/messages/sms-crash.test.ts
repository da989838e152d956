import { fork } from 'node:child_process'
import { once } from 'node:events'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { startSmsGateway, type TestSmsGateway } from '../testing/sms-gateway.ts'
import { createDelivery } from './deliver.ts'
import { queueSms } from './queue-sms.ts'
import { createSmsCourier } from './sms.ts'

const MINUTE_MS = 60_000

let server: TestServer
let gateway: TestSmsGateway
beforeAll(async () => {
  server = await startTestServer()
  gateway = await startSmsGateway()
})
afterAll(async () => {
  await gateway.close()
  await server.close()
})

const script = new URL('./testing/deliver-and-die.ts', import.meta.url)

const runUntilItDies = async (aheadMs: number, dieAfterMs: number) => {
  const env = {
    ...process.env,
    CONNECTION: JSON.stringify(server.runtime),
    GATEWAY: JSON.stringify(gateway.settings),
    AHEAD_MS: String(aheadMs),
    DIE_AFTER_MS: String(dieAfterMs),
  }
  await once(fork(script, { env }), 'exit')
}

test('texts of workers that are killed at any point, two at once, arrive once each', async () => {
  const texts = Array.from({ length: 40 }, (_, number) => `Terminal ${number} is offline.`)
  await server.database.transaction({ tenantId: 'a' }, async (db) => {
    for (const text of texts)
      await queueSms(db, 'a', {
        to: '9075550101',
        text,
        notice: {},
        notBefore: new Date(),
        expiresAt: new Date(Date.now() + 86_400_000),
      })
  })
  let aheadMs = MINUTE_MS
  for (const dieAfterMs of [15, 40, 80, 150]) {
    gateway.moods.now = () => new Date(Date.now() + aheadMs)
    await Promise.all([runUntilItDies(aheadMs, dieAfterMs), runUntilItDies(aheadMs, dieAfterMs * 1.5)])
    // What they held is free again only when an attempt must be over.
    aheadMs += 6 * MINUTE_MS
  }
  const courier = createSmsCourier(gateway.settings)
  const rest = createDelivery({
    database: server.database,
    courier,
    mailFrom: undefined,
    log: pino({ level: 'silent' }),
    now: () => new Date(Date.now() + aheadMs),
  })
  for (let round = 0; round < 5; round++) {
    await rest.deliverDue('a')
    aheadMs += 6 * MINUTE_MS
  }
  courier.close()
  const arrived = gateway.taken.map(({ body }) => body)
  const lost = texts.filter((text) => !arrived.includes(text)).length
  const doubled = arrived.length - new Set(arrived).size
  console.log(`texts ${texts.length}, lost ${lost}, doubled ${doubled}`)
  expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 })
}, 120_000)
