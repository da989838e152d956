import { recordAudit } from '#server/audit/record.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { type Place, query } from './cluster.ts'

/** Users who open tickets, each with its entry in the editing log, until stopped. */
export const startWriters = ({ runtime }: Place) => {
  const database = openDatabase(runtime, () => {})
  let isStopped = false
  let written = 0
  const write = async (tenantId: string) => {
    while (!isStopped) {
      await database.transaction({ tenantId }, async (db) => {
        await db
          .insertInto('tickets')
          .values({
            tenant_id: tenantId,
            name: 'Meanwhile',
            email: 'x@mail.example',
            message: 'Help',
            user_id: null,
            address: '127.0.0.1',
            created_at: new Date(),
          })
          .execute()
        await recordAudit(db, tenantId, new Date(), {
          performer: 'meanwhile',
          action: 'ticket.create',
          performee: 'it',
        })
      })
      written++
    }
  }
  const writing = Promise.all(['a', 'a', 'b'].map(write))
  return {
    stop: async () => {
      isStopped = true
      await writing
      await database.close()
      return written
    },
  }
}

/** Tickets without their entry, and entries without their ticket. */
export const countHalves = async (place: Place) => {
  const [row] = await query<{ tickets: number; entries: number }>(
    place,
    `select (select count(*)::int from tickets where name = 'Meanwhile') as tickets,
       (select count(*)::int from audit_log where performer = 'meanwhile') as entries`,
  )
  return Math.abs((row?.tickets ?? 0) - (row?.entries ?? 0))
}
