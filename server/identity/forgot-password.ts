import type { Done } from '#contract/basic-bodies.ts'
import type { AnonymousContext } from '../platform/context.ts'
import { enqueue } from '../platform/worker/enqueue.ts'
import { consume, passwordRequestLimits } from './rate-limits.ts'
import { requireTenantId } from './require-tenant.ts'

/** Only writes down who asked: whether there is such a person is found out behind, and the answer cannot tell. */
export const forgotPassword = async (visit: AnonymousContext, { email }: { email: string }): Promise<Done> => {
  const tenantId = requireTenantId(visit)
  const { database, now } = visit.services
  await database.transaction({ tenantId }, async (db) => {
    if (!(await consume(db, tenantId, passwordRequestLimits(email, visit.address), now()))) return
    await db.insertInto('password_requests').values({ tenant_id: tenantId, email, created_at: now() }).execute()
    await enqueue(db, 'password-requests', tenantId)
  })
  return { message: 'If there is an account with this address, a new password is on its way to it.' }
}
