import { hash, verify } from '@node-rs/argon2'

const OPTIONS = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }
const MAX_AT_ONCE = 2

// Hashing is heavy on purpose: a few at once, so that a wave of sign-ins does not starve every other call.
let running = 0
const waiting: (() => void)[] = []

const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
  if (running >= MAX_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  running++
  try {
    return await work()
  } finally {
    running--
    waiting.shift()?.()
  }
}

export const hashPassword = (password: string) => inTurn(() => hash(password, OPTIONS))

let unknownHash: Promise<string> | undefined

/** Takes as long for a person who does not exist, so that the time tells nobody who has an account. */
export const isPasswordRight = async (stored: string | undefined, password: string) => {
  unknownHash ??= hashPassword('nobody has this password')
  const against = stored ?? (await unknownHash)
  const right = await inTurn(() => verify(against, password))
  return stored !== undefined && right
}
