import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import type { Job } from './queues.ts'

/** The abort reason of a job that another worker may have claimed. */
export class LeaseLost extends Error {
  constructor() {
    super('The lease on this job was lost.')
  }
}

/**
 * Call it first in a transaction that writes for a job. Throws if another worker has claimed the job since, and no other
 * worker can claim it until this transaction ends. So a stalled worker cannot overwrite newer results.
 */
export const assertFence = async (db: Db, { queue, tenantId, subject, fence }: Job): Promise<void> => {
  // The weakest row lock: it blocks a claim (FOR UPDATE), but not a lease renewal, which changes no key.
  const { rows } = await sql`
    select from jobs
    where queue = ${queue} and tenant_id = ${tenantId} and subject = ${subject} and fence = ${fence}
    for key share`.execute(db)
  if (rows.length === 0) throw new LeaseLost()
}
