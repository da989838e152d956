/** A link may be open in many browsers; its content is built once in this time for all of them. */
export const CACHED_FOR_MS = 15_000
const MAX_CACHED = 200

interface Cached {
  atMs: number
  content: Promise<string | undefined>
}

/** A cache of the content of links. */
export const createContentCache = () => {
  const cached = new Map<string, Cached>()
  return (key: string, at: Date, make: () => Promise<string | undefined>): Cached => {
    const known = cached.get(key)
    const ageMs = known ? at.getTime() - known.atMs : -1
    if (known && ageMs >= 0 && ageMs < CACHED_FOR_MS) return known
    const made = { atMs: at.getTime(), content: make() }
    cached.delete(key)
    cached.set(key, made)
    if (cached.size > MAX_CACHED) cached.delete(cached.keys().next().value as string)
    const forget = () => {
      if (cached.get(key) === made) cached.delete(key)
    }
    // Failures and missing content are not cached.
    made.content.then((content) => content === undefined && forget(), forget)
    return made
  }
}
