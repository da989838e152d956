import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Stack } from './stack.ts'

const DOWN_AFTER_MS = 5_000
// A status is reported once it has settled and others with the same cause have been collected, after about three
// minutes.
const DOWN_FOR_MS = 270_000

/** A terminal that has been online for a while, so that going offline is a change. */
const findOnlineTerminal = ({ installation }: Stack, tenantId: string) =>
  installation.database.transaction({ tenantId }, async (db) => {
    const { rows } = await sql<{ device_id: string }>`
      select terminal.device_id from status_intervals as state
      join terminals as terminal on terminal.tenant_id = state.tenant_id and terminal.id = state.terminal_id
      join service_lines as line on line.tenant_id = terminal.tenant_id and line.id = terminal.service_line_id
      where state.tenant_id = ${tenantId} and state.ended_at is null and state.status = 'online' and not state.disabled
        and not line.is_mobile and line.custom_name is not null
      order by line.id limit 1`.execute(db)
    return rows[0]?.device_id
  })

/**
 * Takes one terminal down within the first minute and back up, so that a status, a notification and the outbox change.
 */
export const playFirstOutage = (stack: Stack, tenantId: string, log: FastifyBaseLogger) => {
  const stopping = new AbortController()
  const order = async (deviceId: string, direction: 'down' | 'up') => {
    const path = `/simulator/terminals/${encodeURIComponent(deviceId)}/${direction}`
    const response = await fetch(new URL(path, stack.simulator.origin), { method: 'POST' })
    if (!response.ok) throw new Error(`The simulator returned ${response.status}.`)
  }
  const play = async () => {
    await pause(DOWN_AFTER_MS, undefined, { signal: stopping.signal })
    const deviceId = await findOnlineTerminal(stack, tenantId)
    if (deviceId === undefined) return
    await order(deviceId, 'down')
    await pause(DOWN_FOR_MS, undefined, { signal: stopping.signal })
    await order(deviceId, 'up')
  }
  const playing = play().catch((error: unknown) => {
    if (!stopping.signal.aborted) log.warn({ err: error }, 'The first outage of the demo could not be played.')
  })
  return {
    stop: async () => {
      stopping.abort()
      await playing
    },
  }
}
