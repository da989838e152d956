import { readClaims, tokens } from './tokens.ts'

/** A list as the server answered it, for whom and when. */
interface Kept<Body> {
  session: string
  keptAtMs: number
  body: Body
}

const storeName = 'dishboard:lists'
/** A longer list takes longer to be written than people gain by it. */
const terminalsAtMost = 5000
/** By then hardly anything in it still holds. */
const usefulMs = 60 * 60_000

/** Browsers offer this on secure origins only, and not to everybody. */
const openStore = async () => globalThis.caches?.open(storeName)

/** Of whom the token says that it is; undefined when it cannot be told, and then nothing is kept. */
export const sessionNow = () => {
  const session = tokens.access && readClaims(tokens.access)?.session
  return typeof session === 'string' ? session : undefined
}

/** Keeps a list in the browser for the next visit, which on a poor link shows it while the new one is on its way. */
export async function keepList(path: string, session: string | undefined, body: { data: unknown[] }) {
  if (!session || body.data.length > terminalsAtMost) return
  const kept: Kept<typeof body> = { session, keptAtMs: Date.now(), body }
  try {
    await (await openStore())?.put(path, Response.json(kept))
  } catch {
    // Without room or leave to write, the next visit waits for its list.
  }
}

/** What this session was answered last, if that was not long ago. */
export async function findKeptList<Body>(path: string): Promise<Kept<Body> | undefined> {
  try {
    const kept: Kept<Body> | undefined = await (await (await openStore())?.match(path))?.json()
    if (!kept) return undefined
    const isOurs = kept.session === sessionNow()
    if (isOurs && Date.now() - kept.keptAtMs < usefulMs) return kept
    // Whoever did not sign out has left it behind.
    await forgetKeptLists()
    return undefined
  } catch {
    return undefined
  }
}

export async function forgetKeptLists() {
  try {
    await globalThis.caches?.delete(storeName)
  } catch {
    // Where nothing may be forgotten, nothing was kept.
  }
}
