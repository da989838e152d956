import { readClaims, tokens } from './tokens.ts'

/** A list as the server returned it, with its session and time. */
interface CachedList<Body> {
  session: string
  cachedAtMs: number
  body: Body
}

const cacheName = 'dishboard:lists'
/** Writing a longer list takes longer than it saves. */
const maxTerminals = 5000
/** An older list is mostly wrong. */
const maxAgeMs = 60 * 60_000

/** Browsers offer this on secure origins only, and not in every mode. */
const openCache = async () => globalThis.caches?.open(cacheName)

/** The session that the token names. When it names none, nothing is cached. */
export const findSessionId = () => {
  const session = tokens.access && readClaims(tokens.access)?.session
  return typeof session === 'string' ? session : undefined
}

/** Caches a list for the next visit, which on a slow link shows it while the new one is loading. */
export async function cacheList(path: string, session: string | undefined, body: { data: unknown[] }) {
  if (!session || body.data.length > maxTerminals) return
  const cached: CachedList<typeof body> = { session, cachedAtMs: Date.now(), body }
  try {
    await (await openCache())?.put(path, Response.json(cached))
  } catch {
    // Without space or permission to write, the next visit waits for its list.
  }
}

/** The last list of this session, if it is recent. */
export async function findCachedList<Body>(path: string): Promise<CachedList<Body> | undefined> {
  try {
    const cached: CachedList<Body> | undefined = await (await (await openCache())?.match(path))?.json()
    if (!cached) return undefined
    const isOurs = cached.session === findSessionId()
    if (isOurs && Date.now() - cached.cachedAtMs < maxAgeMs) return cached
    // It belongs to a session that ended without signing out.
    await clearListCache()
    return undefined
  } catch {
    return undefined
  }
}

export async function clearListCache() {
  try {
    await globalThis.caches?.delete(cacheName)
  } catch {
    // Where the cache may not be deleted, it may not be written either.
  }
}
