import { sql } from 'kysely'
import { tooMany } from '#contract/errors.ts'
import type { AnonymousContext } from '../platform/context.ts'
import { toCustomerNetwork } from '../platform/network.ts'
import { refuseIfQueueFull } from './passwords.ts'
import { type RateLimit, secondsUntil, toKeys } from './rate-limits.ts'
import { listNetworkLimits } from './sign-in-limits.ts'

// Before the body of a request is read. Nothing is counted here: which account a try is about stands in the body.

interface SenderRow {
  is_known: boolean
  paused_until: Date | null
}

/** Whether somebody of the tenant has signed in from the sender's network, and until when its limits pause. */
const readSender = async (
  { services, address }: AnonymousContext,
  tenantId: string,
  limits: readonly RateLimit[],
): Promise<SenderRow> => {
  const now = services.now()
  const [row] = await services.database.readInOneRoundTrip(
    { tenantId },
    'paused-sender',
    sql<SenderRow>`
      select
        exists (select from sessions where tenant_id = ${tenantId} and network = ${toCustomerNetwork(address)}) as is_known,
        (select max(paused_until) from rate_limits
          where tenant_id = ${tenantId} and key = any(${toKeys(limits)}::bytea[]) and paused_until > ${now}) as paused_until`,
  )
  return row as SenderRow
}

/** Refuses a sender whose network pauses. */
export const refusePausedNetwork =
  (listLimits: (address: string) => RateLimit[], describe?: (wait: string) => string) =>
  async (context: AnonymousContext) => {
    if (context.tenantId === undefined) return
    const { paused_until } = await readSender(context, context.tenantId, listLimits(context.address))
    if (paused_until) throw tooMany(secondsUntil(paused_until, context.services.now()), describe)
  }

/**
 * Refuses strangers whose network pauses, and everybody whose password check would be refused: so a flood costs one read
 * for each. In a known network, the account decides.
 */
export const checkSignInSender = async (context: AnonymousContext) => {
  const { tenantId, address, services } = context
  if (tenantId === undefined) return
  const { is_known, paused_until } = await readSender(context, tenantId, listNetworkLimits(address))
  if (paused_until && !is_known) throw tooMany(secondsUntil(paused_until, services.now()))
  refuseIfQueueFull({ tenantId, network: toCustomerNetwork(address), lane: is_known ? 'known' : 'stranger' })
}
