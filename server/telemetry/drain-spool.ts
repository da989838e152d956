import type { FastifyBaseLogger } from 'fastify'
import { Counter, type Registry } from 'prom-client'
import type { Database } from '../platform/database/database.ts'
import { addGauge } from '../platform/gauge.ts'
import { compressBody, storeRawBatch } from './raw-batches.ts'
import type { Spool, SpooledResponse } from './spool.ts'

const RETRY_MS = 1_000
// Picks up what another process that shares the folder left behind when it was killed.
const REREAD_MS = 30_000

const FOREIGN_KEY_VIOLATION = '23503'
const isCredentialGone = (error: unknown) => (error as { code?: string }).code === FOREIGN_KEY_VIOLATION

interface Options {
  spool: Spool
  database: Database
  log: FastifyBaseLogger
}

/**
 * Stores spooled responses in the database, whichever process polls their credential, until it is stopped. A file is
 * removed after the commit.
 */
export const startSpoolDrain = ({ spool, database, log }: Options) => {
  const stopping = new AbortController()
  /** Responses whose credential was removed. They stay until an operator decides. */
  const orphans = new Set<string>()
  let isFailing = false

  const store = async (response: SpooledResponse) => {
    const { tenantId, credentialId, id: responseId, receivedAt } = response
    const packedBody = await compressBody(await spool.read(response))
    await database.transaction({ tenantId }, (db) =>
      storeRawBatch(db, { tenantId, credentialId, kind: 'stream', packedBody, receivedAt, responseId }),
    )
    await spool.remove(response)
  }

  /** A credential whose response cannot be stored does not block the others. Returns the number of stored responses. */
  const drain = async () => {
    const failed = new Map<string, unknown>()
    let stored = 0
    for (const response of await spool.refresh()) {
      const owner = `${response.tenantId}/${response.credentialId}`
      if (failed.has(owner) || orphans.has(response.path)) continue
      try {
        await store(response)
        stored++
      } catch (error) {
        if (isCredentialGone(error)) {
          orphans.add(response.path)
          log.error(
            { path: response.path },
            'A spooled telemetry response belongs to a vendor credential that this database does not have. Delete the file if that is intended.',
          )
        } else failed.set(owner, error)
      }
    }
    const [fault] = failed.values()
    if (fault !== undefined) throw fault
    return stored
  }

  const drainUntilStopped = async () => {
    while (!stopping.signal.aborted) {
      try {
        const stored = await drain()
        if (stored > 0) log.info({ responses: stored }, 'Spooled telemetry is stored in the database.')
        isFailing = false
      } catch (error) {
        if (!isFailing)
          log.error(
            { err: error, responses: spool.getState().files },
            'Spooled telemetry cannot be stored in the database. It stays on disk and is tried again every second.',
          )
        isFailing = true
      }
      await spool.drainWake.wait(isFailing ? RETRY_MS : REREAD_MS, stopping.signal)
    }
  }

  const running = drainUntilStopped()
  return {
    /** Stores what the pollers left behind: no process on another machine can see it. */
    stop: async () => {
      stopping.abort()
      await running
      await drain().catch((error: unknown) =>
        log.error({ err: error }, 'Telemetry stays in the spool until a process with this DATA_DIR starts again.'),
      )
    },
  }
}

export const registerSpoolMetrics = (registry: Registry, spool: Spool) => {
  const gauge = (name: string, help: string, read: () => number) => addGauge(registry, name, help, read)
  gauge('telemetry_spool_bytes', 'Telemetry on disk that the database does not have yet', () => spool.getState().bytes)
  gauge('telemetry_spool_max_bytes', 'Size at which no more telemetry is requested', () => spool.getState().maxBytes)
  gauge('telemetry_spool_responses', 'Responses of the vendor on disk', () => spool.getState().files)
  gauge('telemetry_spool_oldest_seconds', 'Age of the oldest response that waits for the database', () => {
    const { oldestAt } = spool.getState()
    return oldestAt ? Math.max(0, (Date.now() - oldestAt.getTime()) / 1000) : 0
  })
  new Counter({
    name: 'telemetry_spool_write_failures_total',
    help: 'Responses that could not be written to disk',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(spool.getState().failures)
    },
  })
}
