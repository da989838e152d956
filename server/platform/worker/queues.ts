/** Every queue of background work. A queue is also the topic that wakes its workers. */
export const queueNames = [
  'mail',
  'sms',
  'password-requests',
  'notifications',
  'incidents',
  'warnings',
  'commands',
  'pools',
  'vendor-credentials',
  'vendor-feeds',
  'audit-anchors',
  'audit-heads',
  'partitions',
  'compaction',
  'purge',
  'security-events',
  'webhooks',
  'reports',
  'bulk',
] as const

export type QueueName = (typeof queueNames)[number]

/** A job of the queues `incidents` and `warnings` with this subject re-evaluates the past after history was added. */
export const HISTORY_SUBJECT = 'history'

/** Identifies a job: the work of a queue for a tenant, and for a subject if the queue has subjects. */
export interface JobKey {
  queue: QueueName
  /** Empty for work of the whole installation. */
  tenantId: string
  subject: string
}

/** A claimed job. The fencing token identifies this claim. */
export interface Job extends JobKey {
  fence: number
  /** Consecutive failed turns before this one. */
  failures: number
}

export const JOBS_CHANNEL = 'jobs'

export const writeTopic = ({ queue, tenantId, subject }: JobKey) => JSON.stringify([queue, tenantId, subject])

export const readTopic = (payload: string): JobKey => {
  const [queue, tenantId, subject] = JSON.parse(payload) as [QueueName, string, string]
  return { queue, tenantId, subject }
}

export interface Queue {
  /** Jobs that exist without a request: one per tenant, or one for the installation. Each first runs once. */
  seed?: 'tenants' | 'installation'
  /** The maximum number of concurrent jobs per process. */
  concurrency: number
  retry: { firstMs: number; longestMs: number }
  /** After this many consecutive failures the job waits until it is requested again. Unset: it is retried forever. */
  retryLimit?: number
  /** A request for a running job aborts and restarts it. For jobs that run for hours. */
  restartsOnRequest?: boolean
  /** Every worker gets the same number of jobs, rebalanced as workers start and stop. For jobs that run for hours. */
  isSpread?: boolean
  /**
   * Does a bounded amount of work, and returns when to run again; undefined: when requested. If there is more to do
   * immediately, it returns the current time, and other tenants come first. The signal is aborted when the worker stops,
   * when the lease is lost, or when the job is to restart; the job then runs again soon, whatever it returned.
   */
  run: (job: Job, signal: AbortSignal) => Promise<Date | undefined>
}

export type Queues = Partial<Record<QueueName, Queue>>
