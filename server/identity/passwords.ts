import { randomInt } from 'node:crypto'
import { createQueue, type QueueLimits, type Requester } from './hash-queue.ts'
import { hash, verify } from './hash-threads.ts'

/** Of a hash. Memory in KiB. */
const COST = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

/** Hashes passwords and compares them, within the limits of one queue. */
export const createHasher = (limits: QueueLimits, cost = COST) => {
  const queue = createQueue(limits)
  let standInHash: Promise<string> | undefined

  return {
    queue,
    hash: (password: string, requester: Requester) => queue.run(requester, () => hash(password, cost)),
    /** In a turn that the caller has. */
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

// Hashing is expensive on purpose. A few at once, so that a wave of sign-ins does not starve every other call.
const LIMITS: QueueLimits = { maxConcurrent: 2, maxWaiting: 60, maxWaitMs: 3_000, now: () => performance.now() }

let hasher = createHasher(LIMITS)

/** Replaces the limits of this process and the cost of a hash, so that no test depends on how fast the machine hashes. */
export const setHashing = (limits: Partial<QueueLimits>, cost?: typeof COST) => {
  hasher = createHasher({ ...LIMITS, ...limits }, cost)
}

export const getHashQueue = () => hasher.queue

/** Throws at once if a password check would be refused. */
export const refuseIfQueueFull = (requester: Requester) => hasher.queue.refuseIfFull(requester)

export const hashPassword = (password: string, requester: Requester) => hasher.hash(password, requester)

/** Who hashes passwords that are set for others. */
export const toBulkRequester = (tenantId: string): Requester => ({ tenantId, network: '', lane: 'bulk' })

/** Waits for the requester's turn to check a password, and throws if it is refused one. */
export const runInTurn = <T>(requester: Requester, work: () => Promise<T>) => hasher.queue.run(requester, work)

/**
 * Compares with each stored hash until one matches and returns its index, or -1. A missing hash takes as long as a wrong
 * one, so that the time does not reveal who has an account or a mailed password. For work that `runInTurn` runs.
 */
export const compareInTurn = (
  stored: readonly (string | undefined)[],
  password: string,
  compare: (hash: string, password: string) => Promise<boolean> = verify,
) => hasher.compare(stored, password, compare)

/** Compares as `compareInTurn` does, when the requester's turn has come. */
export const findMatchingHash = (
  stored: readonly (string | undefined)[],
  password: string,
  requester: Requester,
  compare?: (hash: string, password: string) => Promise<boolean>,
) => runInTurn(requester, () => compareInTurn(stored, password, compare))

const CLASSES = ['abcdefghijkmnpqrstuvwxyz', 'ABCDEFGHJKLMNPQRSTUVWXYZ', '23456789', '@$!%*?&-_+=']
const MAILED_LENGTH = 16

const pick = (letters: string) => letters[randomInt(letters.length)] as string

/** One of each class, the rest letters and digits, shuffled; without characters that look alike. */
export const createRandomPassword = () => {
  const common = CLASSES.slice(0, 3).join('')
  const letters = Array.from({ length: MAILED_LENGTH }, (_, place) => pick(CLASSES[place] ?? common))
  for (let place = letters.length - 1; place > 0; place--) {
    const other = randomInt(place + 1)
    ;[letters[place], letters[other]] = [letters[other] as string, letters[place] as string]
  }
  return letters.join('')
}
