import { pino } from 'pino'
import { openDatabase } from '../../platform/database/database.ts'
import { listenToDatabase } from '../../platform/database/listen.ts'
import { startWorker } from '../../platform/worker/worker.ts'
import { secrets } from '../../vendor/testing/two-accounts.ts'
import { createPoolQueue } from '../queue.ts'

/** A worker in its own process, so that it can be killed. Its clock may be ahead. */
const { connection, aheadMs } = JSON.parse(process.argv[2] ?? '{}')
const log = pino({ level: 'silent' })
const now = () => new Date(Date.now() + aheadMs)
const { queue } = createPoolQueue({ database: openDatabase(connection, () => {}), secrets, log, now })
startWorker({ listener: listenToDatabase({ connection, log }), log, now, queues: { pools: queue } })
