import { addTurns } from '../../notifications/testing/fleet.ts'
import type { Db } from '../../platform/database/database.ts'
import { startTestServer } from '../../testing/server.ts'

const MINUTE_MS = 60_000

/** A server with an administrator and a user of the group north in tenant a. Times are minutes after a moment of the past. */
export const startIncidentServer = async ({ minutesAgo }: { minutesAgo: number }) => {
  const server = await startTestServer()
  await server.addUser('a', { email: 'admin@mail.example', role: 'admin' })
  await server.addUser('a', { email: 'north@mail.example', username: 'north' })
  const admin = (await server.signIn('a', 'admin@mail.example')).access
  const north = (await server.signIn('a', 'north@mail.example')).access
  const startMs = Date.now() - minutesAgo * MINUTE_MS
  const at = (minutes: number) => new Date(startMs + minutes * MINUTE_MS)
  return {
    ...{ server, admin, north, at },
    inTenant: <T>(work: (db: Db) => Promise<T>) => server.database.transaction({ tenantId: 'a' }, work),
    turn: (terminalIds: number[], status: 'online' | 'offline', minutes: number, notedMinutes = minutes + 3) =>
      addTurns(
        server.database,
        'a',
        terminalIds.map((terminalId) => ({ terminalId, status, at: at(minutes), notedAt: at(notedMinutes) })),
      ),
  }
}

export type IncidentServer = Awaited<ReturnType<typeof startIncidentServer>>
