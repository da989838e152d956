import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { PgBoss, type Queue } from 'pg-boss'
import { mailAuditHeads } from '../audit-digest/mail-heads.ts'
import type { Database } from '../platform/database/database.ts'
import { maintainPartitions } from '../telemetry/partitions.ts'
import { forgetOld } from './forget-old.ts'

/** The queues there are; `migrate` creates them, workers serve them. */
export const queues: { name: string; options: Omit<Queue, 'name'> }[] = [
  { name: 'keep-partitions', options: { retryLimit: 5, retryDelay: 30, retryBackoff: true, heartbeatSeconds: 10 } },
  { name: 'forget-old', options: { retryLimit: 5, retryDelay: 60, retryBackoff: true, heartbeatSeconds: 10 } },
  { name: 'mail-audit-heads', options: { retryLimit: 5, retryDelay: 60, retryBackoff: true, heartbeatSeconds: 10 } },
]

interface Options {
  connection: pg.PoolConfig
  database: Database
  log: FastifyBaseLogger
}

export interface Jobs {
  stop: () => Promise<void>
}

const STOP_WITHIN_MS = 5_000

/** Serves every queue in this process; any number of processes may. */
export const startJobs = async ({ connection, database, log }: Options): Promise<Jobs> => {
  // The schema is the owner's: `migrate` makes it, the runtime only uses it.
  const boss = new PgBoss({ ...connection, max: 3, migrate: false, createSchema: false })
  let failing = false
  boss.on('error', (error) => {
    if (!failing) log.error({ err: error }, 'The job queue has trouble; it goes on trying.')
    failing = true
  })
  await boss.start()
  await boss.work('keep-partitions', async () => {
    await maintainPartitions(database, Date.now())
    failing = false
  })
  await boss.schedule('keep-partitions', '7 * * * *')
  await boss.work('mail-audit-heads', () => mailAuditHeads(database, new Date()))
  // Once a day for each tenant; asked for every hour, so that a day is not lost to a restart.
  await boss.schedule('mail-audit-heads', '23 * * * *')
  await boss.work('forget-old', () => forgetOld(database, new Date()))
  await boss.schedule('forget-old', '41 3 * * *')
  await boss.send('keep-partitions', {}, { singletonKey: 'start', singletonSeconds: 60 })
  return { stop: () => boss.stop({ graceful: true, timeout: STOP_WITHIN_MS }) }
}
