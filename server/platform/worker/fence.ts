import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import type { Job } from './queues.ts'

/** The reason of a signal whose job another worker may run by now. */
export class LeaseLost extends Error {
  constructor() {
    super('The lease on this job was lost.')
  }
}

/**
 * Call it first in a transaction that writes for a job. It throws if another worker has claimed the job since, and no
 * other worker can claim the job until this transaction ends. So a worker that stalled cannot overwrite newer results.
 */
export const assertFence = async (db: Db, { queue, tenantId, subject, fence }: Job): Promise<void> => {
  // The weakest row lock: it holds off a claim (FOR UPDATE), but not the renewal of the lease, which changes no key.
  const { rows } = await sql`
    select from jobs
    where queue = ${queue} and tenant_id = ${tenantId} and subject = ${subject} and fence = ${fence}
    for key share`.execute(db)
  if (rows.length === 0) throw new LeaseLost()
}
