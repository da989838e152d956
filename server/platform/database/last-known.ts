import type { Database } from './database.ts'
import { isUnavailable } from './errors.ts'

// A longer queue for the database takes seconds: requests that join it, and all behind them, would time out.
export const MAX_WAITING_FOR_DATABASE = 200

export const isDatabaseBusy = ({ countWaiting }: Pick<Database, 'countWaiting'>) =>
  countWaiting() >= MAX_WAITING_FOR_DATABASE

const MAX_VALUES = 1_000

/**
 * Reads a value that seldom changes. While the database is overloaded or unavailable, returns the last value read, so
 * that pages still load with the tenant's branding and can say so.
 */
export const createLastKnown = <Value>() => {
  const valuesByDatabase = new WeakMap<object, Map<string, Value>>()
  return async (database: Database, key: string, read: () => Promise<Value>): Promise<Value> => {
    const values = valuesByDatabase.get(database) ?? new Map<string, Value>()
    valuesByDatabase.set(database, values)
    if (isDatabaseBusy(database) && values.has(key)) return values.get(key) as Value
    try {
      const value = await read()
      // Keeps insertion order by age, so that the oldest entry is evicted first.
      values.delete(key)
      values.set(key, value)
      if (values.size > MAX_VALUES) values.delete(values.keys().next().value as string)
      return value
    } catch (error) {
      if (values.has(key) && isUnavailable(error as Error)) return values.get(key) as Value
      throw error
    }
  }
}
