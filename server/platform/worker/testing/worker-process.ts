import { once } from 'node:events'
import pino from 'pino'
import { listenToDatabase } from '../../database/listen.ts'
import { startWorker } from '../worker.ts'

/** A worker in its own process, so that it can be killed. It holds its jobs until it is stopped. */
const log = pino({ level: 'silent' })
const { connection, isSpread = false } = JSON.parse(process.argv[2] ?? '{}')
const listener = listenToDatabase({ connection, log })
startWorker({
  listener,
  log,
  now: () => new Date(),
  timing: { heartbeatMs: 100 },
  queues: {
    'vendor-feeds': {
      concurrency: 100,
      retry: { firstMs: 1_000, longestMs: 1_000 },
      isSpread,
      run: async (job, signal) => {
        process.send?.(job)
        if (!signal.aborted) await once(signal, 'abort')
        return undefined
      },
    },
  },
})
