import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/**
 * A vendor that returns the given bodies from its stream, one per request, and then empty batches. It runs in its own
 * thread, so that its work is not measured.
 */
export const startReplayedVendor = async () => {
  const worker = new Worker(new URL('./replayed-vendor-thread.ts', import.meta.url))
  const [port] = await once(worker, 'message')
  const origin = `http://127.0.0.1:${port}`
  return {
    baseUrl: origin,
    tokenUrl: `${origin}/token`,
    offer: async (bodies: readonly string[]) => {
      worker.postMessage(bodies)
      await once(worker, 'message')
    },
    close: async () => {
      await worker.terminate()
    },
  }
}
