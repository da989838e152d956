import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../platform/config.ts'
import type { Database } from '../platform/database/database.ts'
import type { Queue, Queues } from '../platform/worker/worker.ts'
import type { Courier } from './courier.ts'
import { createDelivery, type Refit } from './deliver.ts'
import type { ReadImage } from './embed-images.ts'
import { createSmsCourier } from './sms.ts'
import { createMailCourier } from './smtp.ts'

interface Options {
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'sms' | 'demo'>
  database: Database
  log: FastifyBaseLogger
  now: () => Date
  /** Reads an image of ours that a mail shows. */
  readImage: ReadImage
  refit?: Refit
}

/** The queues that send mail and SMS. What nothing can send stays queued. */
export const createMessageQueues = ({ config, database, log, now, readImage, refit }: Options) => {
  const mail = config.smtpUrl ? createMailCourier(config.smtpUrl, readImage) : undefined
  if (!mail && !config.demo) log.warn('SMTP_URL is not set: mail stays queued until it is.')
  const sms = config.sms && createSmsCourier(config.sms)
  const createQueue = (courier: Courier): Queue => {
    const delivery = createDelivery({ database, courier, mailFrom: config.mailFrom, log, now, ...(refit && { refit }) })
    return {
      seed: 'tenants',
      concurrency: 4,
      retry: { firstMs: 5_000, longestMs: 5 * 60_000 },
      run: ({ tenantId }, signal) => delivery.deliverDue(tenantId, signal),
    }
  }
  const queues: Queues = { ...(mail && { mail: createQueue(mail) }), ...(sms && { sms: createQueue(sms) }) }
  return {
    queues,
    close: () => {
      mail?.close()
      sms?.close()
    },
  }
}
