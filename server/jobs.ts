import type { Queue } from 'pg-boss'

/** The queues there are; `migrate` creates them, workers serve them. */
export const queues: { name: string; options: Omit<Queue, 'name'> }[] = [
  { name: 'keep-partitions', options: { retryLimit: 5, retryDelay: 30, retryBackoff: true, heartbeatSeconds: 10 } },
]
