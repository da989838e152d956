import type { Done } from '#contract/answer.ts'
import { wakeWorkers } from '../messages/wake.ts'
import type { Visit } from '../platform/context.ts'
import { countTry, forgottenLimits } from './guessing.ts'
import { tenantOf } from './tenant-of.ts'

/** Only writes down who asked: whether there is such a person is found out behind, and the answer cannot tell. */
export const forgotPassword = async (visit: Visit, { email }: { email: string }): Promise<Done> => {
  const tenantId = tenantOf(visit)
  const { database, now } = visit.services
  await database.transaction({ tenantId }, async (db) => {
    if (!(await countTry(db, tenantId, forgottenLimits(email, visit.address), now()))) return
    await db.insertInto('password_requests').values({ tenant_id: tenantId, email, created_at: now() }).execute()
    await wakeWorkers(db, tenantId)
  })
  return { message: 'If there is an account with this address, a new password is on its way to it.' }
}
