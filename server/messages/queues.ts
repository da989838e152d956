import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../platform/config.ts'
import type { Database } from '../platform/database/database.ts'
import type { Secrets } from '../platform/secrets.ts'
import type { Queue, Queues } from '../platform/worker/queues.ts'
import { CONCURRENT_TENANTS } from './concurrency.ts'
import { createDelivery, type FindListHeaders, type Revalidate } from './deliver.ts'
import type { ReadImage } from './embed-images.ts'
import { createSmsTransport } from './sms-transport.ts'
import { createMailTransport } from './smtp-transport.ts'
import type { MessageTransport } from './transport.ts'

interface Options {
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'sms' | 'demo'>
  database: Database
  secrets: Secrets
  log: FastifyBaseLogger
  now: () => Date
  /** Reads one of our images for use in a mail. */
  readImage: ReadImage
  revalidate?: Revalidate
  findListHeaders?: FindListHeaders
}

/** The queues that send mail and SMS. Messages of a channel that is not configured stay queued. */
export const createMessageQueues = ({ config, database, secrets, log, now, readImage, ...options }: Options) => {
  const { revalidate, findListHeaders } = options
  const mail = config.smtpUrl ? createMailTransport(config.smtpUrl, readImage) : undefined
  if (!mail && !config.demo) log.warn('SMTP_URL is not set: mail stays queued until it is.')
  const sms = config.sms && createSmsTransport(config.sms)
  const createQueue = (transport: MessageTransport): Queue => {
    const delivery = createDelivery({
      database,
      secrets,
      transport,
      mailFrom: config.mailFrom,
      log,
      now,
      ...(revalidate && { revalidate }),
      ...(findListHeaders && { findListHeaders }),
    })
    return {
      seed: 'tenants',
      concurrency: CONCURRENT_TENANTS,
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
