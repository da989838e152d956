import { expect, test, vi } from 'vitest'
import { findMatchingHash, hashPassword } from './passwords.ts'

test('a hash is found by its password, at its place', async () => {
  const stored = [await hashPassword('One-pass-1'), undefined, await hashPassword('Two-pass-2')]
  expect(await findMatchingHash(stored, 'Two-pass-2')).toBe(2)
  expect(await findMatchingHash(stored, 'None-pass-3')).toBe(-1)
})

test('of a wave of sign-ins those who would wait too long are asked to come again, and the others are served', async () => {
  const wave = await Promise.allSettled(Array.from({ length: 100 }, () => hashPassword('Some-pass-1')))
  const refused = wave.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  expect(refused.length).toBeGreaterThanOrEqual(38)
  expect(refused.length).toBeLessThan(100)
  for (const error of refused) expect(error).toMatchObject({ status: 503, code: 'busy', retryAfterS: 5 })
  await hashPassword('Some-pass-1')
})

test('who has waited over three seconds is asked to come again instead of being compared', async () => {
  const wave = Array.from({ length: 10 }, () => hashPassword('Some-pass-1'))
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 3_100)
  const outcomes = await Promise.allSettled(wave)
  clock.mockRestore()
  expect(outcomes.map(({ status }) => status)).toEqual([...Array(2).fill('fulfilled'), ...Array(8).fill('rejected')])
  for (const { reason } of outcomes.slice(2) as PromiseRejectedResult[]) expect(reason).toMatchObject({ status: 503 })
  await hashPassword('Some-pass-1')
})
