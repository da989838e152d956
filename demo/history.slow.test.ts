import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listKinds } from '#server/availability/measure.ts'
import { readHistories } from '#server/availability/read-histories.ts'
import { createTwoFeeds, type TwoFeeds } from '#server/telemetry/testing/two-feeds.ts'
import { createChanges } from '#simulator/changes.ts'
import { buildFleet } from '#simulator/fleet.ts'
import { getPresence } from '#simulator/presence.ts'
import { SLOT_MS } from '#simulator/reading.ts'
import { startHistory } from './history.ts'

const SEED = 1959
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

let feeds: TwoFeeds
beforeAll(async () => {
  feeds = await createTwoFeeds()
})
afterAll(() => feeds.close())

test('availability is known before samples are written, and samples are written after what users wait for', async () => {
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
  const period = { fromMs: Date.now() - 29 * DAY_MS, toMs: Date.now() - DAY_MS }
  const { histories } = await feeds.database.transaction({ tenantId: 'alpha' }, (db) =>
    readHistories(db, 'alpha', period),
  )
  const kinds = histories
    .filter(({ terminal }) => terminal.nickname === 'one')
    .flatMap(({ readHistory }) => listKinds(readHistory(), period).map(({ kind }) => kind))
  expect(kinds).toContain('up')
  expect(kinds).not.toContain('not observed')
  others.resolve()
  await expect.poll(history.getShare).toBeGreaterThan(0)
  expect(await countSamples()).toBeGreaterThan(0)
  await history.stop()
})

// More than those whose 30 days of status come first.
test('in a large fleet each silent terminal has its status and when it was last seen before samples are written', async () => {
  const TERMINALS = 600
  const fleet = buildFleet(SEED, [TERMINALS])
  const deviceIds = fleet.terminals.map(({ terminalId }) => terminalId)
  await feeds.rows(
    'beta',
    `insert into terminals (tenant_id, credential_id, device_id)
     select 'beta', ${feeds.beta.credentialId}, unnest('{${deviceIds.join()}}'::text[])`,
  )
  const [credential] = await feeds.rows<{ created_at: Date }>('beta', 'select created_at from vendor_credentials')
  const beganMs = credential?.created_at.getTime() as number
  const history = startHistory({
    after: new Promise(() => {}),
    connection: feeds.runtime,
    seed: SEED,
    accounts: [{ tenantId: 'beta', clientId: 'client', terminals: TERMINALS }],
    log: pino({ level: 'silent' }),
    onProgress: () => {},
  })
  await history.statusReady
  const rows = await feeds.rows<{ device_id: string; status: string; at: Date }>(
    'beta',
    `select device_id, status, at from terminals
     join status_intervals on terminal_id = terminals.id and ended_at is null
     join latest on latest.terminal_id = terminals.id`,
  )
  const known = new Map(rows.map((row) => [row.device_id, row]))
  let offline = 0
  for (const terminal of fleet.terminals) {
    const presence = getPresence(fleet, createChanges(), terminal, beganMs)
    if (presence.reports) continue
    const silentMs = beganMs - presence.sinceMs
    const state = known.get(terminal.terminalId)
    if (silentMs > 60 * DAY_MS) expect(state).toBeUndefined()
    // Rows of the first seconds of an outage still arrive.
    else expect(state?.at.getTime()).toBeLessThan(presence.sinceMs + (presence.cause === 'outage' ? SLOT_MS : 0))
    // A shorter silence is for the live feed to judge.
    if (silentMs < 5 * MINUTE_MS || state === undefined) continue
    expect(state.status).toBe(silentMs < DAY_MS ? 'offline' : 'no data')
    if (state.status === 'offline') offline++
  }
  expect(offline).toBeGreaterThanOrEqual(TERMINALS * 0.03)
  expect(await feeds.rows('beta', 'select at from samples limit 1')).toEqual([])
  await history.stop()
})
