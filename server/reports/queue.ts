import type { Database } from '../platform/database/database.ts'
import type { Queue } from '../platform/worker/queues.ts'
import { makeDueReport } from './make-due.ts'

interface Options {
  database: Database
  now: () => Date
}

/** The queue that creates the reports of every tenant, one per run. */
export const createReportQueue = ({ database, now }: Options): Queue => ({
  seed: 'tenants',
  concurrency: 2,
  retry: { firstMs: 30_000, longestMs: 3_600_000 },
  run: (job) => makeDueReport(database, job, now()),
})
