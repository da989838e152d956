import { tooMany } from '#contract/errors.ts'
import type { Services } from '../platform/context.ts'
import type { Database } from '../platform/database/database.ts'
import { createGuessLimits } from '../platform/http/network-counts.ts'
import { listNetworks } from '../platform/network.ts'
import type { RequestOrigin } from '../security-events/record.ts'

/** Unknown tokens per minute from one network. Each takes a read from the connections that every request needs first. */
export const UNKNOWN_TOKENS_PER_NETWORK = 300
const MAX_KNOWN = 10_000

const createGuesses = () => ({ limits: createGuessLimits(UNKNOWN_TOKENS_PER_NETWORK), known: new Set<string>() })

const processes = new WeakMap<Database, ReturnType<typeof createGuesses>>()

/**
 * Refuses tokens from a network that guesses, except those that were valid here before: whoever shares its address goes on.
 * Returns what to do when the token turns out to be valid or unknown.
 */
export const limitGuesses = ({ database, now }: Services, hash: Buffer, { address }: RequestOrigin) => {
  const { limits, known } = processes.get(database) ?? createGuesses()
  processes.set(database, { limits, known })
  const key = hash.toString('base64')
  const networks = listNetworks(address)
  const nowMs = now().getTime()
  const reached = known.has(key) ? undefined : limits.findReached(networks, nowMs)
  if (reached) throw tooMany(reached.resetS)
  return {
    remember: () => {
      // The order is that of the last use, for eviction.
      known.delete(key)
      known.add(key)
      if (known.size > MAX_KNOWN) known.delete(known.values().next().value as string)
    },
    countUnknown: () => {
      known.delete(key)
      limits.count(networks, nowMs)
    },
  }
}
