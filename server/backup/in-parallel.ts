/**
 * Processes the items, one at a time on each worker. After a failure no further item is started, and `abort` cancels the
 * running ones; it rejects once all have ended.
 */
export const inParallel = async <W, T>(
  workers: readonly W[],
  items: readonly T[],
  work: (worker: W, item: T) => Promise<void>,
  abort: () => void = () => {},
) => {
  const left = [...items]
  const failures: unknown[] = []
  await Promise.all(
    workers.map(async (worker) => {
      try {
        for (let item = left.shift(); item !== undefined && failures.length === 0; item = left.shift())
          await work(worker, item)
      } catch (error) {
        failures.push(error)
        if (failures.length === 1) abort()
      }
    }),
  )
  if (failures.length > 0) throw failures[0]
}
