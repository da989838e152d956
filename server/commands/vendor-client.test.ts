import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Database, openDatabase } from '../platform/database/database.ts'
import { NO_TIME_LIMITS } from '../testing/database.ts'
import { listCredentials, type VendorCredential } from '../vendor/credentials.ts'
import { requestsPerMinute } from '../vendor/request-shares.ts'
import { createTwoAccounts, secrets, type TwoAccounts } from '../vendor/testing/two-accounts.ts'
import { createCommandClient, reserveRequests } from './vendor-client.ts'

const tenantId = 'alpha'
const now = () => new Date(vendor.clock.nowMs)

let vendor: TwoAccounts
let others: Database
let credential: VendorCredential
let device: string
beforeAll(async () => {
  vendor = await createTwoAccounts()
  others = openDatabase({ ...vendor.runtime, ...NO_TIME_LIMITS }, () => {})
  const [first] = await vendor.database.transaction({ tenantId }, (db) => listCredentials(db, secrets, tenantId))
  credential = first as VendorCredential
  device = vendor.simulator.fleet.terminals[0]?.terminalId as string
})
afterAll(async () => {
  await others.close()
  await vendor.close()
})
beforeEach(() => {
  vendor.clock.nowMs += 120_000
})

const reserve = (database: Database, count = 1) =>
  database.transaction({ tenantId }, (db) => reserveRequests(db, credential, count, now()))

const countCounted = async () => {
  const [row] = await vendor.rows<{ counted: number }>(
    tenantId,
    `select count(*)::int as counted from vendor_request_shares, unnest(counts_until) as until
     where until > '${now().toISOString()}'`,
  )
  return row?.counted
}

test('commands of several processes stay within their share together, and the rest get a retry time', async () => {
  const command = async (_: unknown, nth: number) => {
    const database = nth % 2 === 0 ? vendor.database : others
    const reserved = await reserve(database)
    await createCommandClient({ database, now, credential, reserved }).rebootTerminal(device)
  }
  const outcomes = await Promise.allSettled(Array.from({ length: requestsPerMinute.commands + 10 }, command))
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  expect(refused).toHaveLength(10)
  for (const error of refused) {
    expect(error).toMatchObject({
      status: 429,
      message: expect.stringMatching(/nothing was changed.*in \d+ seconds\./),
    })
    expect(error.retryAfterS).toBeLessThanOrEqual(63)
  }
  expect(vendor.simulator.simulation.credentials[0]?.requestsMs).toHaveLength(requestsPerMinute.commands)
  vendor.clock.nowMs += 63_000
  await expect(reserve(others, requestsPerMinute.commands)).resolves.toMatchObject({
    count: requestsPerMinute.commands,
  })
})

test('counts a request again when it is sent after its reservation ended or beyond it', async () => {
  const reserved = await reserve(vendor.database, 2)
  expect(await countCounted()).toBe(2)
  const client = createCommandClient({ database: vendor.database, now, credential, reserved })
  await client.rebootTerminal(device)
  expect(await countCounted()).toBe(2)
  vendor.clock.nowMs += 3_000
  await client.rebootTerminal(device)
  expect(await countCounted()).toBe(3)
})
