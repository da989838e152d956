import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

/** PostgreSQL is running but accepts no connections: it is starting, replaying its log after a crash, or shutting down. */
const CANNOT_CONNECT_NOW = '57P03'

export const isRecovering = (error: unknown) => (error as { code?: string }).code === CANNOT_CONNECT_NOW

const RETRY_MS = 500
const REPORT_EVERY_MS = 10_000

interface Options {
  onWaiting: (message: string) => void
  stopping?: AbortSignal | undefined
}

/** Waits, for as long as it takes, while the database recovers. Leaves every other connection error to the caller. */
export const waitUntilRecovered = async (connection: pg.PoolConfig, { onWaiting, stopping }: Options) => {
  for (let nextReportMs = 0; ; ) {
    const client = new pg.Client(connection)
    try {
      await client.connect()
      return
    } catch (error) {
      if (!isRecovering(error)) throw error
      if (performance.now() >= nextReportMs) {
        onWaiting(`The database accepts no connections yet (${(error as Error).message}); waiting for it.`)
        nextReportMs = performance.now() + REPORT_EVERY_MS
      }
    } finally {
      await client.end().catch(() => {})
    }
    await pause(RETRY_MS, undefined, { signal: stopping })
  }
}
