import pino from 'pino'
import { listenToDatabase } from '../../database/listen.ts'
import { startWorker } from '../worker.ts'

/** A worker as a process of its own, so that it can be killed. It holds its job for ever. */
const log = pino({ level: 'silent' })
const listener = listenToDatabase({ connection: JSON.parse(process.argv[2] ?? '{}'), log })
startWorker({
  listener,
  log,
  now: () => new Date(),
  queues: {
    'vendor-feeds': {
      concurrency: 1,
      retry: { firstMs: 1_000, longestMs: 1_000 },
      run: (job) => {
        process.send?.(job)
        return new Promise(() => {})
      },
    },
  },
})
