import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import type { Config } from '../config.ts'
import type { Database } from '../db.ts'
import { answerPasswordRequests } from '../identity/answer-password-requests.ts'
import { findBrandFile } from '../tenants/brand-files.ts'
import { createDelivery } from './deliver.ts'
import { createMailCourier } from './smtp.ts'
import { startTenantWork } from './tenant-work.ts'

interface Options {
  config: Config
  database: Database
  connection: pg.ClientConfig
  log: FastifyBaseLogger
  now: () => Date
}

/** Answers people who forgot their password, and delivers what is queued. */
export const startMessages = ({ config, database, connection, log, now }: Options) => {
  const courier = config.smtpUrl
    ? createMailCourier(config.smtpUrl, (address) => findBrandFile(config.brandDir, address))
    : undefined
  if (!courier && !config.demo) log.warn('SMTP_URL is not set: mail stays queued until it is.')
  const delivery = courier && createDelivery({ database, courier, mailFrom: config.mailFrom, log, now })
  const working = startTenantWork({
    database,
    connection,
    log,
    now,
    work: async (tenantId) => {
      await answerPasswordRequests(database, tenantId, now)
      return delivery?.deliverDue(tenantId)
    },
  })
  return {
    stop: async () => {
      delivery?.stop()
      await working.stop()
      courier?.close()
    },
  }
}
