import { listNetworks } from '../platform/network.ts'
import { perMinutes, perNetwork, type RateLimit } from './rate-limits.ts'

const MINUTE_S = 60
const FIRST_PAUSE_S = 5

// A wide network contains many narrow ones. Each wider network is allowed more attempts, but fewer than the sum of its parts.
const PAIR_FREE = [10, 20, 30]
const NETWORK_FREE = [100, 200, 400]
const NETWORK_DRAIN_S = [MINUTE_S, MINUTE_S / 2, MINUTE_S / 4]

/** Guesses at one account from one network: soon limited to one in 15 minutes. */
const listPairLimits = (email: string, address: string): RateLimit[] =>
  listNetworks(address).map((network, index) => ({
    key: `pair:${email.toLowerCase()}:${network}`,
    free: PAIR_FREE[index] as number,
    firstPauseSeconds: FIRST_PAUSE_S,
    drainSeconds: 15 * MINUTE_S,
  }))

/** Guesses at many accounts from one network. An office shares one address, so many are free. */
export const listNetworkLimits = (address: string): RateLimit[] =>
  listNetworks(address).map((network, index) => ({
    key: `network:${network}`,
    free: NETWORK_FREE[index] as number,
    firstPauseSeconds: FIRST_PAUSE_S,
    drainSeconds: NETWORK_DRAIN_S[index] as number,
  }))

/** Guesses at one account from all networks. More are free than any single network has, so that none can exhaust them. */
const accountLimit = (email: string): RateLimit => ({
  key: `account:${email.toLowerCase()}`,
  free: 50,
  firstPauseSeconds: FIRST_PAUSE_S,
  drainSeconds: MINUTE_S / 2,
})

/** The limit that a correct sign-in resets. */
export const getOwnPairLimit = (email: string, address: string) => listPairLimits(email, address)[0] as RateLimit

/**
 * For a network where the user has signed in before, only its own guesses count, so that attempts from elsewhere cannot
 * lock the user out.
 */
export const listSignInLimits = (email: string, address: string, isKnownToUser: boolean): RateLimit[] =>
  isKnownToUser
    ? [getOwnPairLimit(email, address)]
    : [...listPairLimits(email, address), ...listNetworkLimits(address), accountLimit(email)]

export const listCodeLimits = (address: string) => perNetwork('code-network', address, 100, 15)

/** Each challenge adds a database row. Every sign-in page that is opened requests one, and an office shares one address. */
export const listPasskeyLimits = (address: string) => perNetwork('passkey-network', address, 900, 15)

/**
 * Each challenge allows several attempts, so the number of challenges, and of codes mailed for them, must be limited even
 * for a correct password.
 */
export const getChallengeLimit = (userId: number) => perMinutes(`mailed-code:${userId}`, 20, 24 * 60)

export const listForgottenPasswordLimits = (email: string, address: string) => [
  perMinutes(`forgotten:${email.toLowerCase()}`, 3, 60),
  ...listPasswordRequestLimits(address),
]

export const listPasswordRequestLimits = (address: string) => perNetwork('forgotten-network', address, 20, 60)
