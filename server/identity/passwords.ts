import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { hash, verify } from '@node-rs/argon2'
import { ApiError } from '#contract/errors.ts'

const OPTIONS = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

interface QueueLimits {
  maxConcurrent: number
  /** Work that comes when so much is waiting already is refused at once. */
  maxWaiting: number
  /** Work that has waited longer than this is refused when its turn comes. */
  maxWaitMs: number
  now: () => number
}

const busy = () => new ApiError(503, 'busy', 'The service is busy. Please try again.', 5)

/** Runs a few pieces of work at once and refuses what would wait too long. */
export const createQueue = ({ maxConcurrent, maxWaiting, maxWaitMs, now }: QueueLimits) => {
  let running = 0
  const waiting: { sinceMs: number; begin: () => void; refuse: (error: Error) => void }[] = []

  const startNext = () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (now() - next.sinceMs <= maxWaitMs) return next.begin()
      next.refuse(busy())
    }
    running--
  }

  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < maxConcurrent) running++
    else if (waiting.length >= maxWaiting) throw busy()
    else
      await new Promise<void>((begin, refuse) => {
        waiting.push({ sinceMs: now(), begin, refuse })
      })
    try {
      return await work()
    } finally {
      startNext()
    }
  }
}

/** Hashes passwords and compares them, within the limits of one queue. */
export const createHasher = (limits: QueueLimits) => {
  const enqueue = createQueue(limits)
  let standInHash: Promise<string> | undefined
  let lastCheckMs = 0

  return {
    hash: (password: string) => enqueue(() => hash(password, OPTIONS)),
    findMatch: async (
      stored: readonly (string | undefined)[],
      password: string,
      compare: (hash: string, password: string) => Promise<boolean>,
    ) => {
      // Not through the queue: a refusal would be cached and fail every later sign-in.
      standInHash ??= hash('nobody has this password', OPTIONS)
      const standIn = await standInHash
      const startedAt = performance.now()
      for (const [index, each] of stored.entries()) {
        const matches = await enqueue(() => compare(each ?? standIn, password))
        if (matches && each !== undefined) return index
      }
      lastCheckMs = performance.now() - startedAt
      return -1
    },
    delayLikeCheck: () => sleep(lastCheckMs),
  }
}

// Hashing is expensive on purpose. A few at once, so that a wave of sign-ins does not starve every other call.
const LIMITS: QueueLimits = { maxConcurrent: 2, maxWaiting: 60, maxWaitMs: 3_000, now: () => performance.now() }

let hasher = createHasher(LIMITS)

/** Replaces the limits of this process, so that no test depends on how fast the machine hashes. */
export const setHashLimits = (limits: Partial<QueueLimits>) => {
  hasher = createHasher({ ...LIMITS, ...limits })
}

export const hashPassword = (password: string) => hasher.hash(password)

/**
 * Compares with each stored hash until one matches and returns its index, or -1. A missing hash takes as long as a wrong
 * one, so that the time does not reveal who has an account or a mailed password.
 */
export const findMatchingHash = (
  stored: readonly (string | undefined)[],
  password: string,
  compare: (hash: string, password: string) => Promise<boolean> = verify,
) => hasher.findMatch(stored, password, compare)

/** A refused sign-in takes as long as a compared one, so that being locked out does not show. */
export const delayLikeCheck = () => hasher.delayLikeCheck()

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
