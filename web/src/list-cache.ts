import { readClaims, tokens } from './tokens.ts'

/** A list as the server answered it, for whom and when. */
interface CachedList<Body> {
  session: string
  cachedAtMs: number
  body: Body
}

const cacheName = 'dishboard:lists'
/** A longer list takes longer to be written than people gain by it. */
const maxTerminals = 5000
/** By then hardly anything in it still holds. */
const maxAgeMs = 60 * 60_000

/** Browsers offer this on secure origins only, and not to everybody. */
const openCache = async () => globalThis.caches?.open(cacheName)

/** Of whom the token says that it is; undefined when it cannot be told, and then nothing is kept. */
export const findSessionId = () => {
  const session = tokens.access && readClaims(tokens.access)?.session
  return typeof session === 'string' ? session : undefined
}

/** Keeps a list in the browser for the next visit, which on a poor link shows it while the new one is on its way. */
export async function cacheList(path: string, session: string | undefined, body: { data: unknown[] }) {
  if (!session || body.data.length > maxTerminals) return
  const kept: CachedList<typeof body> = { session, cachedAtMs: Date.now(), body }
  try {
    await (await openCache())?.put(path, Response.json(kept))
  } catch {
    // Without room or leave to write, the next visit waits for its list.
  }
}

/** What this session was answered last, if that was not long ago. */
export async function findCachedList<Body>(path: string): Promise<CachedList<Body> | undefined> {
  try {
    const kept: CachedList<Body> | undefined = await (await (await openCache())?.match(path))?.json()
    if (!kept) return undefined
    const isOurs = kept.session === findSessionId()
    if (isOurs && Date.now() - kept.cachedAtMs < maxAgeMs) return kept
    // Whoever did not sign out has left it behind.
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
    // Where nothing may be forgotten, nothing was kept.
  }
}
