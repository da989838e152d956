import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'

export const FLEET_CHANNEL = 'fleet'

// PostgreSQL accepts fewer than 8,000 bytes in one notification.
const MAX_PAYLOAD_BYTES = 7_900
const MAX_NOTIFICATIONS = 40
const EVERY_LINE = '*'

/** Notifies every process which service lines to reload when this transaction commits. Carries only ids. */
export const notifyLinesChanged = async (db: Db, tenantId: string, lineIds: Iterable<number>): Promise<void> => {
  const payloads: string[] = []
  let payload = ''
  for (const id of new Set(lineIds)) {
    if (payload && payload.length + String(id).length + 1 > MAX_PAYLOAD_BYTES) {
      payloads.push(payload)
      payload = ''
    }
    payload = payload ? `${payload},${id}` : `${tenantId}:${id}`
  }
  if (payload) payloads.push(payload)
  const sent = payloads.length > MAX_NOTIFICATIONS ? [`${tenantId}:${EVERY_LINE}`] : payloads
  for (const each of sent) await sql`select pg_notify(${FLEET_CHANNEL}, ${each})`.execute(db)
}

export const readNotification = (payload: string): { tenantId: string; lineIds: number[] | 'all' } => {
  const split = payload.indexOf(':')
  const ids = payload.slice(split + 1)
  return {
    tenantId: payload.slice(0, split),
    lineIds: ids === EVERY_LINE ? 'all' : ids.split(',').map(Number),
  }
}
