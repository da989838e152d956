import { readdirSync, readFileSync } from 'node:fs'
import { verify } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import type { Requester } from './hash-queue.ts'
import { createHasher, findMatchingHash, hashPassword } from './passwords.ts'

const requester: Requester = { tenantId: 'a', network: '192.0.2.1', lane: 'known' }

test('a hash costs what OWASP recommends: Argon2id with 19 MiB, two passes and one thread', async () => {
  const { hash } = createHasher({ maxConcurrent: 1, maxWaiting: 1, maxWaitMs: 0, now: () => 0 })
  expect(await hash('One-pass-1', requester)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

test('finds a hash by its password and returns its index', async () => {
  const stored = [await hashPassword('One-pass-1', requester), undefined, await hashPassword('Two-pass-2', requester)]
  expect(await findMatchingHash(stored, 'Two-pass-2', requester)).toBe(2)
  expect(await findMatchingHash(stored, 'None-pass-3', requester)).toBe(-1)
})

test('compares a missing hash with a stand-in of the same cost', async () => {
  const real = await hashPassword('One-pass-1', requester)
  const compared: string[] = []
  const compare = (hash: string, password: string) => {
    compared.push(hash)
    return verify(hash, password)
  }
  expect(await findMatchingHash([undefined, undefined], 'Some-pass-1', requester, compare)).toBe(-1)
  const readCost = (hash: string) => hash.split('$').slice(0, 4)
  expect(compared.map(readCost)).toEqual([readCost(real), readCost(real)])
})

test('never accepts the password of the stand-in', async () => {
  expect(await findMatchingHash([undefined], 'nobody has this password', requester)).toBe(-1)
})

test('compares with the stand-in although it was first needed while the queue was full', async () => {
  const { hash, queue, compare } = createHasher({ maxConcurrent: 1, maxWaiting: 0, maxWaitMs: 0, now: () => 0 })
  const findMatch = () => queue.run(requester, () => compare([undefined], 'Some-pass-1', verify))
  const [hashed, refused] = await Promise.allSettled([hash('One-pass-1', requester), findMatch()])
  expect([hashed.status, refused.status]).toEqual(['fulfilled', 'rejected'])
  expect(await findMatch()).toBe(-1)
})

/** The niceness of each thread of this process: above 0 means lower priority. */
const listNiceness = () =>
  readdirSync('/proc/self/task').map((id) => {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
  })

test.runIf(process.platform === 'linux')('hashes in threads of lower priority than the one that serves', async () => {
  await Promise.all(['One-pass-1', 'Two-pass-2'].map((password) => hashPassword(password, requester)))
  const main = Math.min(...listNiceness())
  expect(listNiceness().filter((niceness) => niceness > main).length).toBeGreaterThanOrEqual(2)
})

test('a hash that cannot be read fails its own check only', async () => {
  await expect(findMatchingHash(['no hash'], 'One-pass-1', requester)).rejects.toThrow()
  expect(await findMatchingHash([await hashPassword('One-pass-1', requester)], 'One-pass-1', requester)).toBe(0)
})
