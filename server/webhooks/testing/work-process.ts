import pino from 'pino'
import { openDatabase } from '../../platform/database/database.ts'
import { listenToDatabase } from '../../platform/database/listen.ts'
import { deriveSecrets } from '../../platform/secrets.ts'
import { startWorker } from '../../platform/worker/worker.ts'
import { TEST_SECRET_KEY } from '../../testing/database.ts'
import { createWebhookQueue } from '../queue.ts'

/** A worker in a separate process, so that it can be killed. Its clock may be ahead. */
const { connection, aheadMs } = JSON.parse(process.argv[2] ?? '{}')
const log = pino({ level: 'silent' })
const now = () => new Date(Date.now() + aheadMs)
startWorker({
  listener: listenToDatabase({ connection, log }),
  log,
  now,
  timing: { heartbeatMs: 100 },
  queues: {
    webhooks: createWebhookQueue({
      database: openDatabase(connection, () => {}),
      secrets: deriveSecrets(TEST_SECRET_KEY),
      log,
      now,
      allowedNetworks: ['127.0.0.0/8'],
    }),
  },
})
