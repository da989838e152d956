import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../platform/config.ts'
import type { Database } from '../platform/database/database.ts'
import type { Listener } from '../platform/database/listen.ts'
import { startWorker } from '../platform/worker/worker.ts'
import { createMailQueues } from '../process/work.ts'

interface Options {
  config: Config
  database: Database
  listener: Listener
  log: FastifyBaseLogger
  now: () => Date
}

/** A worker that sends mail and SMS, and nothing else. */
export const startMailWorker = (options: Options) => {
  const { queues, close } = createMailQueues(options)
  const worker = startWorker({ ...options, queues })
  return {
    stop: async () => {
      await worker.stop()
      close()
    },
  }
}
