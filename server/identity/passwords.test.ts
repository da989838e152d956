import { expect, test } from 'vitest'
import { findRightPassword, hashPassword } from './passwords.ts'

test('a hash is found by its password, at its place', async () => {
  const stored = [await hashPassword('One-pass-1'), undefined, await hashPassword('Two-pass-2')]
  expect(await findRightPassword(stored, 'Two-pass-2')).toBe(2)
  expect(await findRightPassword(stored, 'None-pass-3')).toBe(-1)
})

test('of a wave of sign-ins those who would wait too long are asked to come again, and the others are served', async () => {
  const wave = await Promise.allSettled(Array.from({ length: 100 }, () => hashPassword('Some-pass-1')))
  const refused = wave.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  expect(refused.length).toBeGreaterThanOrEqual(38)
  expect(refused.length).toBeLessThan(100)
  for (const error of refused) expect(error).toMatchObject({ status: 503, code: 'busy', retryAfterS: 5 })
  await hashPassword('Some-pass-1')
})
