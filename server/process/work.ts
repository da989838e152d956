import type { FastifyBaseLogger } from 'fastify'
import { createBulkQueue } from '../bulk/queue.ts'
import { createCommandQueue } from '../commands/track-commands.ts'
import { processPasswordRequests } from '../identity/process-password-requests.ts'
import { createIncidentQueue } from '../incidents/queue.ts'
import type { FindListHeaders, Revalidate } from '../messages/deliver.ts'
import { createMessageQueues } from '../messages/queues.ts'
import { createNotificationQueue } from '../notifications/queue.ts'
import { createRevalidateNotice, type QueuedNotice } from '../notifications/revalidate-notice.ts'
import { buildListHeaders } from '../notifications/unsubscribe.ts'
import { createPoolQueue } from '../plans/queue.ts'
import type { Services } from '../platform/context.ts'
import { type BackgroundDatabase, forBackgroundWork } from '../platform/database/database.ts'
import type { Listener } from '../platform/database/listen.ts'
import type { Queue } from '../platform/worker/queues.ts'
import { startWorker } from '../platform/worker/worker.ts'
import { createReportQueue } from '../reports/queue.ts'
import { createRenderPdf } from '../reports/render-pdf.ts'
import { createRevalidateReport, isReport } from '../reports/report-mail.ts'
import { createSecurityEventQueue } from '../security-events/deliver.ts'
import { createSink } from '../security-events/sink.ts'
import { startAssisting } from '../telemetry/assist.ts'
import { createCompactionQueue } from '../telemetry/compaction.ts'
import { startSpoolDrain } from '../telemetry/drain-spool.ts'
import type { FeedMonitor } from '../telemetry/feed-monitor.ts'
import type { Spool } from '../telemetry/spool.ts'
import { findBrandFile } from '../tenants/brand-files.ts'
import { createVendorQueues, type VendorOptions, vendorLimits } from '../vendor/queues.ts'
import { createWarningQueue } from '../warnings/queue.ts'
import { createWebhookQueue } from '../webhooks/queue.ts'
import { createScheduledQueues } from './scheduled-jobs.ts'

/** Settings that the demo and the tests override. */
export type WorkOptions = Pick<VendorOptions, 'limits' | 'assignGroup'>

interface MailOptions extends Services {
  log: FastifyBaseLogger
}

const createPasswordQueue = (services: Services): Queue => ({
  seed: 'tenants',
  // Each new password is hashed, which occupies a core briefly.
  concurrency: 1,
  retry: { firstMs: 5_000, longestMs: 5 * 60_000 },
  run: async ({ tenantId }) => {
    await processPasswordRequests(services, tenantId)
    return undefined
  },
})

/** Everything that sends mail and SMS: the messages, and the passwords that users requested. */
export const createMailQueues = (options: MailOptions) => {
  const { config, secrets } = options
  const readImage = (address: string) => findBrandFile(config.brandDir, address)
  // Administrators decide who receives reports.
  const findListHeaders: FindListHeaders = async (db, tenantId, { notice }) =>
    isReport(notice) ? {} : buildListHeaders(db, secrets, tenantId, (notice as unknown as QueuedNotice).userId)
  const revalidateReport = createRevalidateReport(createRenderPdf(readImage))
  const revalidateNotice = createRevalidateNotice(options)
  const revalidate: Revalidate = (db, tenantId, row) =>
    (isReport(row.notice) ? revalidateReport : revalidateNotice)(db, tenantId, row)
  const messages = createMessageQueues({ ...options, readImage, revalidate, findListHeaders })
  return {
    queues: { ...messages.queues, 'password-requests': createPasswordQueue(options) },
    close: messages.close,
  }
}

const FINISH_STATEMENTS_WITHIN_MS = 1_500
const CANCEL_EVERY_MS = 250

/**
 * Cancels long statements when the process stops. Only for work that resumes from stored data at the next start, because it
 * changes nothing but the database, or nothing that it would not change again: not for mail, webhooks and orders.
 */
const cancelLongStatements = (database: BackgroundDatabase) => {
  const beginMs = performance.now() + FINISH_STATEMENTS_WITHIN_MS
  const timer = setInterval(() => {
    if (performance.now() >= beginMs) database.cancelStatements().catch(() => {})
  }, CANCEL_EVERY_MS)
  return () => clearInterval(timer)
}

/** All background work of this process. */
export const startWork = (
  services: Services & { spool: Spool; monitor: FeedMonitor },
  listener: Listener,
  log: FastifyBaseLogger,
  options: WorkOptions,
) => {
  const { config, secrets, spool, monitor, now } = services
  const database = forBackgroundWork(services.database)
  const repeatableDatabase = forBackgroundWork(services.database)
  const drain = startSpoolDrain({ spool, database, log })
  const assisting = startAssisting({
    listener,
    database: repeatableDatabase,
    monitor,
    log,
    limits: vendorLimits,
    now: () => now().getTime(),
  })
  const mail = createMailQueues({ config, database, secrets, log, now })
  const pools = createPoolQueue({ database, secrets, log, now })
  const worker = startWorker({
    listener,
    log,
    now,
    queues: {
      ...mail.queues,
      ...createScheduledQueues({
        database: repeatableDatabase,
        now,
        log,
        dataDir: config.dataDir,
        retention: config.retention,
      }),
      ...createVendorQueues({ database: repeatableDatabase, spool, secrets, monitor, log, now, ...options }),
      commands: createCommandQueue({ database, secrets, now }),
      compaction: createCompactionQueue({ database: repeatableDatabase, now }),
      incidents: createIncidentQueue({ database: repeatableDatabase, now }),
      warnings: createWarningQueue({ database: repeatableDatabase, now }),
      notifications: createNotificationQueue({ database, log, now }),
      pools: pools.queue,
      reports: createReportQueue({ database: repeatableDatabase, now }),
      bulk: createBulkQueue({ database, secrets, now }),
      webhooks: createWebhookQueue({ database, secrets, log, now, allowedNetworks: config.outboundNetworks }),
      'security-events': createSecurityEventQueue({ database, now, sink: createSink(config.securityLog) }),
    },
  })
  return {
    stop: async () => {
      pools.close()
      const endCanceling = cancelLongStatements(repeatableDatabase)
      await Promise.all([worker.stop(), assisting.stop()])
      endCanceling()
      await drain.stop()
      mail.close()
    },
  }
}
