import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { hash, verify } from '@node-rs/argon2'
import { ApiError } from '#contract/errors.ts'

const OPTIONS = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }
const MAX_AT_ONCE = 2
// Whoever came after these, or has waited for so long, would sign in to a house that is busy.
const MAX_WAITING = 60
const MAX_WAIT_MS = 3_000

interface Waiting {
  sinceMs: number
  begin: () => void
  giveUp: (error: Error) => void
}

// Hashing is heavy on purpose: a few at once, so that a wave of sign-ins does not starve every other call.
let running = 0
const waiting: Waiting[] = []

const busy = () => new ApiError(503, 'busy', 'The service is busy. Please try again.', 5)

const takeNext = () => {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    if (performance.now() - next.sinceMs <= MAX_WAIT_MS) return next.begin()
    next.giveUp(busy())
  }
  running--
}

const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
  if (running < MAX_AT_ONCE) running++
  else if (waiting.length >= MAX_WAITING) throw busy()
  else
    await new Promise<void>((begin, giveUp) => {
      waiting.push({ sinceMs: performance.now(), begin, giveUp })
    })
  try {
    return await work()
  } finally {
    takeNext()
  }
}

export const hashPassword = (password: string) => inTurn(() => hash(password, OPTIONS))

let nobodysHash: Promise<string> | undefined
let lastCheckMs = 0

/**
 * Compares with each stored hash until one is right and answers its place, or -1. A hash that there is not takes as long
 * as one that is wrong, so that the time tells nobody who has an account or a mailed password.
 */
export const findMatchingHash = async (stored: readonly (string | undefined)[], password: string) => {
  nobodysHash ??= hashPassword('nobody has this password')
  const standIn = await nobodysHash
  const startedAt = performance.now()
  for (const [place, each] of stored.entries()) {
    const right = await inTurn(() => verify(each ?? standIn, password))
    if (right && each !== undefined) return place
  }
  lastCheckMs = performance.now() - startedAt
  return -1
}

/** Who is not compared any more waits as long as those who are: being locked out shows in nothing. */
export const delayLikeCheck = () => sleep(lastCheckMs)

const CLASSES = ['abcdefghijkmnpqrstuvwxyz', 'ABCDEFGHJKLMNPQRSTUVWXYZ', '23456789', '@$!%*?&-_+=']
const MAILED_LENGTH = 16

const pick = (letters: string) => letters[randomInt(letters.length)] as string

/** One of each class, the rest letters and digits, shuffled; without letters that look like others. */
export const createRandomPassword = () => {
  const common = CLASSES.slice(0, 3).join('')
  const letters = Array.from({ length: MAILED_LENGTH }, (_, place) => pick(CLASSES[place] ?? common))
  for (let place = letters.length - 1; place > 0; place--) {
    const other = randomInt(place + 1)
    ;[letters[place], letters[other]] = [letters[other] as string, letters[place] as string]
  }
  return letters.join('')
}
