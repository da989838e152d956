import { Worker } from 'node:worker_threads'
import type { FastifyBaseLogger } from 'fastify'
import { formatPercent } from '#contract/format/numbers.ts'
import type { HistoryProgress, HistoryThreadData } from './history-thread.ts'

interface Options extends HistoryThreadData {
  /** Samples are written after this, because nothing waits for them. */
  after: Promise<void>
  log: FastifyBaseLogger
  onProgress: (message: string) => void
}

const REPORT_EVERY_SHARE = 0.25
const REPORT_EVERY_MS = 60_000
/** Twice what it needs. Without a limit, the thread would collect garbage only when the machine runs out of memory. */
const measureMemoryMb = (terminals: number) => 160 + Math.ceil(terminals / 250)

/**
 * Writes what the fleet would have reported in the sixty days before it was connected. Runs in a separate thread after
 * the app is up, and resumes where it stopped.
 */
export const startHistory = ({ after, log, onProgress, ...data }: Options) => {
  const terminals = data.accounts.reduce((sum, account) => sum + account.terminals, 0)
  const worker = new Worker(new URL('./history-thread.ts', import.meta.url), {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: measureMemoryMb(terminals) },
  })
  let written = 0
  let reported = 0
  let timer: NodeJS.Timeout | undefined
  const report = () => {
    reported = written
    onProgress(written === 1 ? 'the charts hold 60 days' : `60 days of history: ${formatPercent(written * 100, 1)}`)
  }
  const status = Promise.withResolvers<void>()
  worker.on('message', (progress: HistoryProgress) => {
    if ('hasStatus' in progress) return status.resolve()
    const { share } = progress
    const wasWritten = written
    written = share
    if (share === 1) clearInterval(timer)
    // It was complete at an earlier start.
    if (share === 1 && wasWritten === 0) return
    if (share === 1 || share - reported >= REPORT_EVERY_SHARE) report()
  })
  worker.on('error', (error) => log.error({ err: error }, 'Could not write the history of the demo.'))
  void after.then(() => {
    worker.postMessage('write')
    // Also while nothing is complete: the status of a large fleet, which comes first, takes minutes.
    if (written < 1 && worker.threadId !== -1) timer = setInterval(report, REPORT_EVERY_MS)
  })
  worker.on('exit', () => {
    clearInterval(timer)
    // Callers must not wait for a thread that has ended.
    status.resolve()
  })
  return {
    statusReady: status.promise,
    /** The share of the history that is written, from 0 to 1. */
    getShare: () => written,
    stop: async () => {
      await worker.terminate()
    },
  }
}
