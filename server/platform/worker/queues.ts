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

/** A job of the queues `incidents` and `warnings` with this subject judges the past again, because more of it has become known. */
export const HISTORY_SUBJECT = 'history'

/** What is to be done: the work of a queue for a tenant, and within it for a subject where the queue has subjects. */
export interface JobKey {
  queue: QueueName
  /** Empty for work of the whole installation. */
  tenantId: string
  subject: string
}

/** A job as it was claimed. The fence tells this claim from all others. */
export interface Job extends JobKey {
  fence: number
  /** Failed turns in a row before this one. */
  failures: number
}

export const JOBS_CHANNEL = 'jobs'

export const writeTopic = ({ queue, tenantId, subject }: JobKey) => JSON.stringify([queue, tenantId, subject])

export const readTopic = (payload: string): JobKey => {
  const [queue, tenantId, subject] = JSON.parse(payload) as [QueueName, string, string]
  return { queue, tenantId, subject }
}

export interface Queue {
  /** Jobs that exist without a request: one for each tenant, or one for the installation. Each runs once at first. */
  seed?: 'tenants' | 'installation'
  /** Jobs that one process runs at the same time. */
  concurrency: number
  retry: { firstMs: number; longestMs: number }
  /** After so many failures in a row the job waits until it is requested again. Without it, it is tried for ever. */
  retryLimit?: number
  /** A request for a job that is running ends it, so that it begins again. For jobs that run for hours. */
  restartsOnRequest?: boolean
  /** Every worker gets the same number of jobs, also when workers come and go. For jobs that run for hours. */
  isSpread?: boolean
  /**
   * Does a bounded amount of the work, and returns when it is to run again; undefined: when it is requested. If more is
   * to be done at once, it returns the present time, and other tenants come first. The signal is aborted when the worker
   * stops, when the lease is lost, or when the job is to begin again; then it runs again soon, whatever it returned.
   */
  run: (job: Job, signal: AbortSignal) => Promise<Date | undefined>
}

export type Queues = Partial<Record<QueueName, Queue>>
