import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { ApiError } from '#contract/errors.ts'
import { type CurrentUser, identity } from '#contract/identity.ts'
import { call, isUnreachable, renewAccess } from './api.ts'
import { callOrCached } from './cached-call.ts'
import { disconnection } from './contact.ts'
import { clearResponseCache, findSessionId } from './response-cache.ts'
import { getRetryDelayMs } from './retries.ts'
import { isExpired, onTokensChange, tokens } from './tokens.ts'

export type Session =
  | { state: 'signed out' }
  | { state: 'checking'; retry: () => void }
  | { state: 'signed in'; user: CurrentUser }

/** The server understood the request and refused it. */
const isRefusal = (error: unknown) => error instanceof ApiError && !isUnreachable(error)

const requireRefusal = (error: unknown) => {
  if (isRefusal(error)) throw error
}

/** Retries with backoff while the server is unreachable. A refusal ends the session instead. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => {
    const { access } = tokens
    try {
      // If the server is unreachable, the call below returns its last response from the cache.
      if (access && isExpired(access)) await renewAccess(access).catch(requireRefusal)
      return await callOrCached(identity.verifyToken, {}, signal)
    } catch (error) {
      if (isRefusal(error)) tokens.clear()
      throw error
    }
  },
  retry: (_count, error) => !isRefusal(error),
  retryDelay: getRetryDelayMs,
  staleTime: 5 * 60_000,
})

const hasAccess = () => tokens.access !== null

export function useSession(): Session {
  const signedIn = useSyncExternalStore(onTokensChange, hasAccess, hasAccess)
  const check = useQuery({ ...sessionQuery, enabled: signedIn })
  const queries = useQueryClient()
  if (!signedIn) return { state: 'signed out' }
  if (check.data) return { state: 'signed in', user: check.data }
  return { state: 'checking', retry: () => void queries.resetQueries({ queryKey: sessionQuery.queryKey }) }
}

export function useIsAdmin() {
  const session = useSession()
  return session.state === 'signed in' && session.user.role === 'admin'
}

const logOutMs = 5000

/**
 * Ends the session on the server if it can be reached, and here in any case. Returns the URL that also ends a single
 * sign-on session at the provider.
 */
export async function logOut() {
  const response = await call(identity.logout, {}, AbortSignal.timeout(logOutMs)).catch((error) =>
    console.warn('The server did not end the session:', error),
  )
  // A session that the server has not ended could be renewed with the refresh token, so that is dropped too.
  if (response) tokens.dropAccess()
  else tokens.clear()
  return response?.continueAt
}

/**
 * Continues with the tokens of a new sign-in. A session that is still open here ends first, on the server too: otherwise
 * the streams of its tabs would continue with the permissions of its user.
 */
export async function replaceSession(signedIn: { access: string; refresh: string | null }) {
  if (tokens.access) await logOut()
  tokens.store(signedIn)
}

/** The next user of this browser, in any tab, finds no data of the previous one. */
export function clearCachesOnSignOut(queries: QueryClient) {
  let session = findSessionId()
  onTokensChange(() => {
    const before = session
    session = findSessionId()
    if (hasAccess() && (before === undefined || before === session)) return
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'tenant' })
    disconnection.clear()
    void clearResponseCache()
  })
}
