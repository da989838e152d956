import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { startTenantWork } from '../messages/tenant-work.ts'
import type { Database } from '../platform/database/database.ts'
import type { Secrets } from '../platform/secrets.ts'
import { createCommandWatch } from './watch-commands.ts'

interface Options {
  database: Database
  secrets: Pick<Secrets, 'open'>
  connection: pg.ClientConfig
  log: FastifyBaseLogger
  now: () => Date
}

/** Follows the commands of every tenant. */
export const startCommandWatch = ({ database, secrets, connection, log, now }: Options) =>
  startTenantWork({ database, connection, log, now, work: createCommandWatch({ database, secrets, now }).look })
