import { verify } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { createHasher, createQueue, findMatchingHash, hashPassword } from './passwords.ts'

test('finds a hash by its password and returns its index', async () => {
  const stored = [await hashPassword('One-pass-1'), undefined, await hashPassword('Two-pass-2')]
  expect(await findMatchingHash(stored, 'Two-pass-2')).toBe(2)
  expect(await findMatchingHash(stored, 'None-pass-3')).toBe(-1)
})

test('compares a missing hash with a stand-in of the same cost', async () => {
  const real = await hashPassword('One-pass-1')
  const compared: string[] = []
  const compare = (hash: string, password: string) => {
    compared.push(hash)
    return verify(hash, password)
  }
  expect(await findMatchingHash([undefined, undefined], 'Some-pass-1', compare)).toBe(-1)
  const readCost = (hash: string) => hash.split('$').slice(0, 4)
  expect(compared.map(readCost)).toEqual([readCost(real), readCost(real)])
})

test('never accepts the password of the stand-in', async () => {
  expect(await findMatchingHash([undefined], 'nobody has this password')).toBe(-1)
})

const startQueue = () => {
  const clock = { nowMs: 0 }
  const finish: (() => void)[] = []
  const enqueue = createQueue({ maxConcurrent: 2, maxWaiting: 3, maxWaitMs: 3_000, now: () => clock.nowMs })
  const add = () => enqueue(() => new Promise<string>((resolve) => finish.push(() => resolve('done'))))
  /** Finishes work until none is left. */
  const drain = async () => {
    for (let next = finish.shift(); next; next = finish.shift()) {
      next()
      await new Promise(setImmediate)
    }
  }
  return { clock, add, drain, finish }
}

const busy = { status: 503, code: 'busy', retryAfterS: 5 }

test('runs two at once, lets three wait and refuses the rest at once', async () => {
  const { add, drain, finish } = startQueue()
  const accepted = Array.from({ length: 5 }, add)
  await expect(add()).rejects.toMatchObject(busy)
  expect(finish).toHaveLength(2)
  await drain()
  expect(await Promise.all(accepted)).toEqual(Array(5).fill('done'))
})

test('refuses work that has waited too long, and runs what comes after it', async () => {
  const { clock, add, drain } = startQueue()
  const started = [add(), add()]
  const late = Promise.allSettled([add(), add()])
  clock.nowMs = 3_001
  const next = add()
  await drain()
  expect(await Promise.all([...started, next])).toEqual(Array(3).fill('done'))
  for (const outcome of await late) expect(outcome).toMatchObject({ status: 'rejected', reason: busy })
})

test('compares with the stand-in although it was first needed while the queue was full', async () => {
  const { hash, findMatch } = createHasher({ maxConcurrent: 1, maxWaiting: 0, maxWaitMs: 0, now: () => 0 })
  // The first comparison may be refused or not: that depends on which of the two hashes is ready first.
  await Promise.allSettled([hash('One-pass-1'), findMatch([undefined], 'Some-pass-1', verify)])
  expect(await findMatch([undefined], 'Some-pass-1', verify)).toBe(-1)
})
