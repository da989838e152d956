/** Every queue of background work. A queue is also the topic that wakes its workers. */
export type QueueName =
  | 'mail'
  | 'sms'
  | 'password-requests'
  | 'notifications'
  | 'commands'
  | 'pools'
  | 'vendor-credentials'
  | 'vendor-feeds'
  | 'audit-anchors'
  | 'audit-heads'
  | 'partitions'
  | 'purge'
  | 'security-events'

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
