import { sql } from 'kysely'
import { addTurns } from '../../notifications/testing/fleet.ts'
import type { Db } from '../../platform/database/database.ts'
import { addLine } from '../../testing/add-line.ts'
import { startTestServer } from '../../testing/server.ts'

const MINUTE_MS = 60_000

const places = {
  Bethel: { city: 'Bethel', latitude: 60.79, longitude: -161.75 },
  Juneau: { city: 'Juneau', latitude: 58.3, longitude: -134.42 },
}

interface Options {
  minutesAgo: number
  /** Each has one terminal, which has long been online and has just reported. */
  lines: readonly { place: keyof typeof places; group: 'north' | 'south' }[]
}

/** A server with an administrator and a user of the group north in tenant a. Times are minutes after a time in the past. */
export const startIncidentServer = async ({ minutesAgo, lines }: Options) => {
  const server = await startTestServer()
  await server.addUser('a', { email: 'admin@mail.example', role: 'admin' })
  await server.addUser('a', { email: 'north@mail.example', username: 'north' })
  const admin = (await server.signIn('a', 'admin@mail.example')).access
  const north = (await server.signIn('a', 'north@mail.example')).access
  const startMs = Date.now() - minutesAgo * MINUTE_MS
  const at = (minutes: number) => new Date(startMs + minutes * MINUTE_MS)
  const inTenant = <T>(work: (db: Db) => Promise<T>) => server.database.transaction({ tenantId: 'a' }, work)
  const turn = (terminalIds: number[], status: 'online' | 'offline', minutes: number, notedMinutes = minutes + 3) =>
    addTurns(
      server.database,
      'a',
      terminalIds.map((terminalId) => ({ terminalId, status, at: at(minutes), notedAt: at(notedMinutes) })),
    )
  const ids: number[] = []
  await inTenant(async (db) => {
    for (const [index, { place, group }] of lines.entries()) {
      const { terminalIds } = await addLine(db, 'a', {
        service_line_number: `SL-${index}`,
        nickname: `${place} ${index}`,
        group_name: group,
        ...places[place],
      })
      ids.push(...terminalIds)
    }
    await sql`insert into latest (tenant_id, terminal_id, at, last_response_at, software_version)
      select 'a', id, ${at(-1)}, ${at(-1)}, 'v1' from terminals`.execute(db)
  })
  await turn(ids, 'online', -3_000)
  return { server, admin, north, at, inTenant, turn, ids }
}
