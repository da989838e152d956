import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import { JOBS_CHANNEL, type QueueName, writeTopic } from './queues.ts'

interface Options {
  subject?: string
  /** Unset: due immediately. */
  dueAt?: Date
}

/**
 * Requests a job in the transaction that causes it: the job runs if and only if that transaction commits, and workers
 * wake immediately. A job that is already waiting keeps the earlier time. A job that is running runs again. Takes no lock
 * that another transaction could wait for.
 */
export const enqueue = async (
  db: Db,
  queue: QueueName,
  tenantId: string,
  { subject = '', dueAt }: Options = {},
): Promise<void> => {
  await sql`
    with request as (
      insert into job_requests (queue, tenant_id, subject, due_at)
      values (${queue}, ${tenantId}, ${subject}, coalesce(${dueAt ?? null}::timestamptz, now())))
    select pg_notify(${JOBS_CHANNEL}, ${writeTopic({ queue, tenantId, subject })})`.execute(db)
}
