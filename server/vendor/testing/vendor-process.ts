import { pino } from 'pino'
import { openDatabase } from '../../platform/database/database.ts'
import { listenToDatabase } from '../../platform/database/listen.ts'
import { startWorker } from '../../platform/worker/worker.ts'
import { startSpoolDrain } from '../../telemetry/drain-spool.ts'
import { openSpool } from '../../telemetry/spool.ts'
import { createVendorQueues } from '../queues.ts'
import { secrets } from './two-accounts.ts'

/** The vendor queues in a separate process, so that it can be killed. */
const { connection, folder } = JSON.parse(process.argv[2] ?? '{}')
const log = pino({ level: 'silent' })
const database = openDatabase({ ...connection, connectionTimeoutMillis: 500 }, () => {})
const spool = await openSpool({ folder, maxBytes: 1024 ** 3, log })
startSpoolDrain({ spool, database, log })
const listener = listenToDatabase({ connection, log, retryMs: 100 })
startWorker({
  listener,
  log,
  now: () => new Date(),
  timing: { heartbeatMs: 100, retryMs: 100 },
  queues: createVendorQueues({
    database,
    spool,
    secrets,
    log,
    now: () => new Date(),
    limits: { lingerMs: 1_000, pauseMs: 0, retryFirstMs: 100, retryLongestMs: 200, syncRetryFirstMs: 100 },
  }),
})
