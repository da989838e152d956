import type { FastifyBaseLogger } from 'fastify'
import type { Services } from '../platform/context.ts'
import type { Listener } from '../platform/database/listen.ts'
import { startWorker } from '../platform/worker/worker.ts'
import { createMailQueues } from '../process/work.ts'

interface Options extends Services {
  listener: Listener
  log: FastifyBaseLogger
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
