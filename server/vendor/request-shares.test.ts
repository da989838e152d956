import { afterAll, beforeAll, expect, test } from 'vitest'
import { countRequests, createSharedBudget, requestsPerMinute } from './request-shares.ts'
import { createTwoAccounts, type TwoAccounts } from './testing/two-accounts.ts'

let vendor: TwoAccounts
beforeAll(async () => {
  vendor = await createTwoAccounts()
})
afterAll(() => vendor.close())

const count = ({ tenantId, credentialId }: TwoAccounts['alpha'], share: 'orders' | 'commands', requests: number) =>
  vendor.database.transaction({ tenantId }, (db) =>
    countRequests(db, {
      credential: { tenantId, id: credentialId },
      share,
      count: requests,
      now: new Date(vendor.clock.nowMs),
    }),
  )

test('a share is full until its oldest requests are a minute old, while other shares and accounts are not', async () => {
  const { alpha, beta, clock } = vendor
  expect(await count(alpha, 'commands', 10)).toBe(0)
  clock.nowMs += 20_000
  expect(await count(alpha, 'commands', requestsPerMinute.commands - 10)).toBe(0)
  expect(await count(alpha, 'commands', 10)).toBe(41_000)
  expect(await count(alpha, 'commands', 11)).toBe(61_000)
  expect(await count(alpha, 'orders', requestsPerMinute.orders)).toBe(0)
  expect(await count(beta, 'commands', requestsPerMinute.commands)).toBe(0)
  clock.nowMs += 41_000
  expect(await count(alpha, 'commands', 11)).toBe(20_000)
  expect(await count(alpha, 'commands', 10)).toBe(0)
})

test('a clock that is set back by hours does not stop a share', async () => {
  const { alpha, clock } = vendor
  clock.nowMs += 120_000
  await count(alpha, 'orders', requestsPerMinute.orders)
  clock.nowMs -= 5 * 3_600_000
  expect(await count(alpha, 'orders', 1)).toBe(0)
  clock.nowMs += 5 * 3_600_000
})

test('a wait for a full share can be aborted', async () => {
  const { alpha, clock, database } = vendor
  clock.nowMs += 120_000
  await count(alpha, 'orders', requestsPerMinute.orders)
  const credential = { tenantId: alpha.tenantId, id: alpha.credentialId }
  const budget = createSharedBudget({ database, credential, share: 'orders', now: () => new Date(clock.nowMs) })
  const leaving = new AbortController()
  const waiting = budget.take(leaving.signal)
  setTimeout(() => leaving.abort(), 100)
  await expect(waiting).rejects.toThrow('aborted')
  clock.nowMs += 61_000
  await budget.take()
})
