import pino from 'pino'
import { openDatabase } from '../../platform/database/database.ts'
import { listenToDatabase } from '../../platform/database/listen.ts'
import { startWorker } from '../../platform/worker/worker.ts'
import { createReportQueue } from '../queue.ts'

// A process that makes reports until it is killed in the middle of that.
const { CONNECTION = '', NOW = '', DIE_AFTER_MS = '' } = process.env
const connection = JSON.parse(CONNECTION)
const log = pino({ level: 'silent' })
const database = openDatabase(connection, () => {})
const now = () => new Date(NOW)
const queue = createReportQueue({ database, now })
startWorker({
  ...{ log, now, listener: listenToDatabase({ connection, log }) },
  queues: {
    reports: {
      ...queue,
      run: (job, signal) => {
        // From its first turn on, so that it has begun.
        setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(DIE_AFTER_MS))
        return queue.run(job, signal)
      },
    },
  },
})
