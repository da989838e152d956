import { ApiError } from '#contract/errors.ts'

const MAX_WAITING = 10
const RETRY_AFTER_S = 2

interface Queue {
  waiting: number
  last: Promise<unknown>
}

/** Serializes the work of each tenant, and rejects it once the queue is full. */
export const createTurns = () => {
  const queues = new Map<string, Queue>()
  return async <T>(tenantId: string, work: () => Promise<T>): Promise<T> => {
    const queue = queues.get(tenantId) ?? { waiting: 0, last: Promise.resolve() }
    if (queue.waiting >= MAX_WAITING)
      throw new ApiError(429, 'busy', 'Many people look at the past right now. Please try again.', RETRY_AFTER_S)
    queues.set(tenantId, queue)
    queue.waiting++
    const turn = queue.last.then(work)
    queue.last = turn.catch(() => {})
    try {
      return await turn
    } finally {
      queue.waiting--
      if (queue.waiting === 0) queues.delete(tenantId)
    }
  }
}
