import pino from 'pino'
import { openDatabase } from '../../platform/database/database.ts'
import { listenToDatabase } from '../../platform/database/listen.ts'
import { startWorker } from '../../platform/worker/worker.ts'
import { createReportQueue } from '../queue.ts'

// A process that creates reports until it is killed midway.
const { CONNECTION = '', NOW = '', DIE_AFTER_MS = '' } = process.env
const connection = JSON.parse(CONNECTION)
const log = pino({ level: 'silent' })
const database = openDatabase(connection, () => {})
const now = () => new Date(NOW)
const queue = createReportQueue({ database, now })
startWorker({
  log,
  now,
  listener: listenToDatabase({ connection, log }),
  queues: {
    reports: {
      ...queue,
      run: (job, signal) => {
        // Starts with its first run, so that there is work in progress.
        setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(DIE_AFTER_MS))
        return queue.run(job, signal)
      },
    },
  },
})
