/**
 * Does the work for each item, one item at a time on each of the workers. After a failure no item is begun, and `abort`
 * ends what is under way; it fails when everything has ended.
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
