import type { Database } from './database.ts'

interface Waiting<Item, Result> {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/**
 * Coalesces concurrent reads. A call that arrives while a read of the same key is running joins the next one, so no
 * caller gets data read before its call, and each key has at most one read in flight.
 */
export const createBatchedRead = <Item, Result>(
  read: (database: Database, key: string, items: readonly Item[]) => Promise<readonly Result[]>,
) => {
  type Queue = Map<string, Waiting<Item, Result>[]>
  const queues = new WeakMap<Database, Queue>()

  const readBatch = async (database: Database, key: string, batch: readonly Waiting<Item, Result>[]) => {
    try {
      const results = await read(
        database,
        key,
        batch.map(({ item }) => item),
      )
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  const readAll = async (database: Database, waiting: Queue, key: string) => {
    for (let batch = waiting.get(key) ?? []; batch.length > 0; batch = waiting.get(key) ?? []) {
      waiting.set(key, [])
      await readBatch(database, key, batch)
    }
    waiting.delete(key)
  }

  return (database: Database, key: string, item: Item) =>
    new Promise<Result>((resolve, reject) => {
      const waiting = queues.get(database) ?? new Map()
      queues.set(database, waiting)
      const entry = { item, resolve, reject }
      const others = waiting.get(key)
      if (others) {
        others.push(entry)
        return
      }
      waiting.set(key, [entry])
      void readAll(database, waiting, key)
    })
}
