import { type Query, readShares } from './job-rows.ts'
import type { Job, QueueName, Queues } from './queues.ts'

interface Run {
  job: Job
  abort: AbortController
}

/** How many jobs of each spread queue belong to this worker. */
export const createShares = (query: Query, queues: Queues) => {
  const spread = Object.entries(queues)
    .filter(([, { isSpread }]) => isSpread)
    .map(([name]) => name as QueueName)
  let shares = new Map<QueueName, number>()
  let workers = 0
  const read = (name: QueueName) => shares.get(name) ?? 0

  return {
    read,
    refresh: async (owner: number) => {
      if (spread.length === 0) return { isGrowing: false, hasChanged: false, isFirst: true }
      const before = { shares, workers }
      const after = await readShares(query, owner, spread)
      shares = after.shares
      workers = after.workers
      return {
        isGrowing: spread.some((name) => read(name) > (before.shares.get(name) ?? 0)),
        hasChanged: workers !== before.workers,
        /** True for exactly one worker, which does what must be done once. */
        isFirst: after.isFirst,
      }
    },
    /** The running jobs beyond the share. */
    findSurplus: <R extends Run>(running: readonly R[]): R[] =>
      spread.flatMap((name) =>
        running.filter(({ job, abort }) => job.queue === name && !abort.signal.aborted).slice(read(name)),
      ),
  }
}
