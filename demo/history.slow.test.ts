import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTwoFeeds, type TwoFeeds } from '#server/telemetry/testing/two-feeds.ts'
import { buildFleet } from '#simulator/fleet.ts'
import { startHistory } from './history.ts'

const SEED = 1959

let feeds: TwoFeeds
beforeAll(async () => {
  feeds = await createTwoFeeds()
})
afterAll(() => feeds.close())

test('history is written after what users wait for, and how much of it is known', async () => {
  const deviceId = buildFleet(SEED, [1]).accounts[0]?.terminals[0]?.terminalId
  await feeds.rows('alpha', `update terminals set device_id = '${deviceId}' where device_id = 'one'`)
  const countSamples = async () =>
    (await feeds.rows<{ count: number }>('alpha', 'select count(*) from samples'))[0]?.count
  const others = Promise.withResolvers<void>()
  const history = startHistory({
    after: others.promise,
    connection: feeds.runtime,
    seed: SEED,
    accounts: [{ tenantId: 'alpha', clientId: 'client', terminals: 1 }],
    log: pino({ level: 'silent' }),
    onProgress: () => {},
  })
  await history.statusReady
  expect(await countSamples()).toBe(0)
  expect(history.getShare()).toBe(0)
  others.resolve()
  await expect.poll(history.getShare).toBeGreaterThan(0)
  expect(await countSamples()).toBeGreaterThan(0)
  await history.stop()
})
