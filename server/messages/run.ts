import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { processPasswordRequests } from '../identity/process-password-requests.ts'
import { fitNotice } from '../notifications/revalidate-notice.ts'
import type { Config } from '../platform/config.ts'
import type { Database } from '../platform/database/database.ts'
import { findBrandFile } from '../tenants/brand-files.ts'
import type { Courier } from './courier.ts'
import { createDelivery } from './deliver.ts'
import { createSmsCourier } from './sms.ts'
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
  const mail = config.smtpUrl
    ? createMailCourier(config.smtpUrl, (address) => findBrandFile(config.brandDir, address))
    : undefined
  if (!mail && !config.demo) log.warn('SMTP_URL is not set: mail stays queued until it is.')
  const sms = config.sms && createSmsCourier(config.sms)
  const deliveryBy = (courier: Courier) =>
    createDelivery({ database, courier, mailFrom: config.mailFrom, log, now, refit: fitNotice })
  const mailing = mail && deliveryBy(mail)
  const texting = sms && deliveryBy(sms)
  const start = (work: (tenantId: string) => Promise<Date | undefined>) =>
    startTenantWork({ database, connection, log, now, work })
  const answering = start(async (tenantId) => {
    await processPasswordRequests(database, tenantId, now)
    return mailing?.deliverDue(tenantId)
  })
  // Apart from the mail: a gateway that hangs must not hold a code for the sign-in back.
  const textWork = texting && start((tenantId) => texting.deliverDue(tenantId))
  return {
    stop: async () => {
      mailing?.stop()
      texting?.stop()
      await Promise.all([answering.stop(), textWork?.stop()])
      mail?.close()
      sms?.close()
    },
  }
}
