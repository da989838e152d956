import type { Done } from '#contract/basic-bodies.ts'
import type { AnonymousContext } from '../platform/context.ts'
import { enqueue } from '../platform/worker/enqueue.ts'
import { recordSecurityEvent } from '../security-events/record.ts'
import { consume } from './rate-limits.ts'
import { requireTenantId } from './require-tenant.ts'
import { listForgottenPasswordLimits } from './sign-in-limits.ts'

/** Only stores the request. A worker looks up the account, so the response cannot reveal whether it exists. */
export const forgotPassword = async (context: AnonymousContext, { email }: { email: string }): Promise<Done> => {
  const tenantId = requireTenantId(context)
  const { database, now } = context.services
  await database.transaction({ tenantId }, async (db) => {
    await consume(db, tenantId, listForgottenPasswordLimits(email, context.address), now())
    await recordSecurityEvent(db, tenantId, now(), { kind: 'password_requested', account: email, origin: context })
    await db.insertInto('password_requests').values({ tenant_id: tenantId, email, created_at: now() }).execute()
    await enqueue(db, 'password-requests', tenantId)
  })
  return { message: 'If there is an account with this address, a new password is on its way to it.' }
}
