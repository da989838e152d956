import type { Database } from './database.ts'
import { isUnavailable } from './errors.ts'

// A longer queue for the database takes seconds: requests that join it would time out, and so would all behind them.
export const MAX_WAITING_FOR_DATABASE = 200

export const isDatabaseBusy = ({ countWaiting }: Pick<Database, 'countWaiting'>) =>
  countWaiting() >= MAX_WAITING_FOR_DATABASE

const MAX_VALUES = 1_000

/**
 * Reads a value that seldom changes. While the database is overloaded or away, returns the value as it was last read, so
 * that pages still appear, in the tenant's look, and can say so.
 */
export const createLastKnown = <Value>() => {
  const valuesByDatabase = new WeakMap<object, Map<string, Value>>()
  return async (database: Database, key: string, read: () => Promise<Value>): Promise<Value> => {
    const values = valuesByDatabase.get(database) ?? new Map<string, Value>()
    valuesByDatabase.set(database, values)
    if (isDatabaseBusy(database) && values.has(key)) return values.get(key) as Value
    try {
      const value = await read()
      // The newest goes to the end, and the oldest goes first.
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
