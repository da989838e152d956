import { findTenantHint } from './tenant-hint.ts'
import { readClaims, tokens } from './tokens.ts'

/** A response of the server, with its session and time. */
interface CachedResponse<Body> {
  session: string
  cachedAtMs: number
  body: Body
}

/** For one session; deleted with it. The service worker deletes caches that it does not know. */
const cacheName = 'dishboard:responses'
/** For responses that every visitor of the tenant receives. */
const publicCacheName = 'dishboard:public'
const publicSession = 'public'
/** A session that was unused for longer must contact the server first. */
const maxAgeMs = 7 * 24 * 60 * 60_000
/** Lists, settings and the most recent terminal pages. */
const maxEntries = 120

/** Operators can turn it off; see the setting OFFLINE_PAGES. */
export const areOfflinePagesEnabled = () =>
  document.querySelector('meta[name="dishboard:offline-pages"][content=off]') === null

/** Browsers offer this on secure origins only, and not in every mode. */
const openCache = async (session: string) =>
  areOfflinePagesEnabled()
    ? globalThis.caches?.open(session === publicSession ? publicCacheName : cacheName)
    : undefined

/** The session id in the token, if it belongs to the tenant that this tab shows. Without one, nothing is cached. */
export const findSessionId = () => {
  const { session, tenant } = (tokens.access && readClaims(tokens.access)) || {}
  const hint = findTenantHint()
  if (hint !== undefined && tenant !== undefined && hint !== tenant) return undefined
  return typeof session === 'string' ? session : undefined
}

/** Caches a response that every visitor of the tenant receives. */
export const cachePublicResponse = (key: string, body: unknown) => put(addTenant(key), publicSession, body)

export const findPublicResponse = <Body>(key: string) => match<Body>(addTenant(key), publicSession)

// On localhost several tenants share an origin.
const addTenant = (key: string) => `${key}?tenant=${encodeURIComponent(findTenantHint() ?? '')}`

/** Caches a response for the next visit, which shows it while the new one is loading, or when offline. */
export async function cacheResponse(key: string, session: string | undefined, body: unknown, asOfMs = Date.now()) {
  // The session may have ended while the request was in flight.
  if (!session || session !== findSessionId()) return
  await put(key, session, body, asOfMs)
  if (session !== findSessionId()) await clearResponseCache()
}

/** The last response of this session. */
export async function findCachedResponse<Body>(key: string): Promise<CachedResponse<Body> | undefined> {
  const session = findSessionId()
  return session === undefined ? clearResponseCache() : match<Body>(key, session)
}

async function put(key: string, session: string, body: unknown, cachedAtMs = Date.now()) {
  const cached: CachedResponse<unknown> = { session, cachedAtMs, body }
  try {
    const cache = await openCache(session)
    if (!cache) return
    await cache.put(key, Response.json(cached))
    const keys = await cache.keys()
    // In the order in which they were written.
    for (const old of keys.slice(0, Math.max(0, keys.length - maxEntries))) await cache.delete(old)
  } catch {
    // Best effort: without space or permission to write, the next visit waits for its response.
  }
}

async function match<Body>(key: string, session: string): Promise<CachedResponse<Body> | undefined> {
  try {
    const cached: CachedResponse<Body> | undefined = await (await (await openCache(session))?.match(key))?.json()
    if (!cached) return undefined
    if (cached.session === session && Date.now() - cached.cachedAtMs < maxAgeMs) return cached
    // It belongs to a session that ended without a sign-out.
    return clearResponseCache()
  } catch {
    return undefined
  }
}

export async function clearResponseCache(): Promise<undefined> {
  try {
    await globalThis.caches?.delete(cacheName)
  } catch {
    // If the cache cannot be deleted, it could not be written either.
  }
}
