import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/**
 * A vendor that answers its stream with the bodies it was given, as fast as they are asked for, then with silence. In a
 * thread of its own: the vendor's work is not ours.
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
