interface Options {
  lifetimeMs: number
  maxEntries: number
}

/**
 * Shares the result of slow work between all who ask for the same key within a time. Failures and undefined results are
 * not cached.
 */
export const createTimedCache = <Value>({ lifetimeMs, maxEntries }: Options) => {
  const entries = new Map<string, { startedMs: number; value: Promise<Value> }>()

  const get = (key: string, now: Date, work: () => Promise<Value>): Promise<Value> => {
    const nowMs = now.getTime()
    const isCurrent = ({ startedMs }: { startedMs: number }) => {
      const ageMs = nowMs - startedMs
      // Negative after the clock was set back.
      return ageMs >= 0 && ageMs < lifetimeMs
    }
    const known = entries.get(key)
    if (known && isCurrent(known)) return known.value
    const entry = { startedMs: nowMs, value: work() }
    entries.delete(key)
    entries.set(key, entry)
    // The oldest come first.
    for (const [each, old] of entries) {
      if (entries.size <= maxEntries && isCurrent(old)) break
      entries.delete(each)
    }
    const evict = () => {
      if (entries.get(key) === entry) entries.delete(key)
    }
    entry.value.then((value) => value === undefined && evict(), evict)
    return entry.value
  }

  return { get, delete: (key: string) => entries.delete(key) }
}
