import { randomInt } from 'node:crypto'
import { createQueue, type QueueLimits, type Requester } from './hash-queue.ts'
import { hash, verify } from './hash-threads.ts'

/** The cost of a hash. Memory in KiB. */
const COST = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

/** Hashes and compares passwords, within the limits of one queue. */
export const createHasher = (limits: QueueLimits, cost = COST) => {
  const queue = createQueue(limits)
  let standInHash: Promise<string> | undefined

  return {
    queue,
    hash: (password: string, requester: Requester) => queue.run(requester, () => hash(password, cost)),
    /** Requires a turn that the caller already holds. */
    compare: async (
      stored: readonly (string | undefined)[],
      password: string,
      compare: (hash: string, password: string) => Promise<boolean>,
    ) => {
      // Not through the queue: a refusal would be cached and fail every later sign-in.
      standInHash ??= hash('nobody has this password', cost)
      const standIn = await standInHash
      for (const [index, each] of stored.entries())
        if ((await compare(each ?? standIn, password)) && each !== undefined) return index
      return -1
    },
  }
}

// Hashing is expensive by design. Only a few at once, so that a burst of sign-ins does not starve every other call.
const LIMITS: QueueLimits = { maxConcurrent: 2, maxWaiting: 60, maxWaitMs: 3_000, now: () => performance.now() }

let hasher = createHasher(LIMITS)

/** Overrides this process's limits and the cost of a hash, so that no test depends on how fast the machine hashes. */
export const setHashing = (limits: Partial<QueueLimits>, cost?: typeof COST) => {
  hasher = createHasher({ ...LIMITS, ...limits }, cost)
}

export const getHashQueue = () => hasher.queue

/** Throws immediately if a password check would be refused. */
export const refuseIfQueueFull = (requester: Requester) => hasher.queue.refuseIfFull(requester)

export const hashPassword = (password: string, requester: Requester) => hasher.hash(password, requester)

/** The requester for passwords set for other users. */
export const toBulkRequester = (tenantId: string): Requester => ({ tenantId, network: '', lane: 'bulk' })

/** Waits for the requester's turn to check a password, and throws if the queue refuses it. */
export const runInTurn = <T>(requester: Requester, work: () => Promise<T>) => hasher.queue.run(requester, work)

/**
 * Compares with each stored hash until one matches and returns its index, or -1. A missing hash takes as long as a wrong
 * one, so that timing does not reveal whether there is an account or a mailed password. Call it inside `runInTurn`.
 */
export const compareInTurn = (
  stored: readonly (string | undefined)[],
  password: string,
  compare: (hash: string, password: string) => Promise<boolean> = verify,
) => hasher.compare(stored, password, compare)

/** Like `compareInTurn`, after waiting for the requester's turn. */
export const findMatchingHash = (
  stored: readonly (string | undefined)[],
  password: string,
  requester: Requester,
  compare?: (hash: string, password: string) => Promise<boolean>,
) => runInTurn(requester, () => compareInTurn(stored, password, compare))

const CLASSES = ['abcdefghijkmnpqrstuvwxyz', 'ABCDEFGHJKLMNPQRSTUVWXYZ', '23456789', '@$!%*?&-_+=']
const MAILED_LENGTH = 16

const pick = (letters: string) => letters[randomInt(letters.length)] as string

/** One of each class, the rest letters and digits, shuffled; without look-alike characters. */
export const createRandomPassword = () => {
  const common = CLASSES.slice(0, 3).join('')
  const letters = Array.from({ length: MAILED_LENGTH }, (_, place) => pick(CLASSES[place] ?? common))
  for (let place = letters.length - 1; place > 0; place--) {
    const other = randomInt(place + 1)
    ;[letters[place], letters[other]] = [letters[other] as string, letters[place] as string]
  }
  return letters.join('')
}
