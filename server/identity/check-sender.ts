import { sql } from 'kysely'
import { tooMany } from '#contract/errors.ts'
import type { AnonymousContext, Context, SenderFacts } from '../platform/context.ts'
import { createBatchedRead } from '../platform/database/batched-read.ts'
import { toCustomerNetwork } from '../platform/network.ts'
import { refuseIfQueueFull } from './passwords.ts'
import { isPausedAt, type RateLimit, secondsUntil, toKeys } from './rate-limits.ts'
import { listNetworkLimits } from './sign-in-limits.ts'

// These checks run before the body of a request is read. They count nothing, because the body names the account of an attempt.

interface SenderRow {
  is_known: boolean
  paused_until: Date | null
}

interface Sender {
  network: string
  keys: readonly Buffer[]
  now: Date
}

const selectSenders = (tenantId: string, senders: readonly Sender[]) => {
  const keys = senders.flatMap((sender, index) => sender.keys.map((key) => ({ place: index + 1, key })))
  return sql<SenderRow>`
    select
      exists (select from sessions where tenant_id = ${tenantId} and network = sender.network) as is_known,
      (select max(r.paused_until)
        from unnest(${keys.map(({ place }) => place)}::int8[], ${keys.map(({ key }) => key)}::bytea[]) as counted (place, key)
        join rate_limits as r on r.tenant_id = ${tenantId} and r.key = counted.key
        where counted.place = sender.place and ${isPausedAt(sql`sender.now`)}) as paused_until
    from unnest(${senders.map(({ network }) => network)}::text[], ${senders.map(({ now }) => now)}::timestamptz[])
      with ordinality as sender (network, now, place)
    order by place`
}

const readSenders = createBatchedRead<Sender, SenderRow>((database, tenantId, senders) =>
  database.readInOneRoundTrip({ tenantId }, 'senders', selectSenders(tenantId, senders)),
)

/**
 * Whether any user of the tenant has signed in from the sender's network, and until when its rate limits pause it.
 * Batched: a flood on one tenant then has one read in flight, and does not delay reads of other tenants.
 */
const readSender = (
  { services: { database, now }, address }: AnonymousContext,
  tenantId: string,
  limits: readonly RateLimit[],
) => readSenders(database, tenantId, { network: toCustomerNetwork(address), keys: toKeys(limits), now: now() })

/** Refuses a sender who is paused by one of these limits. */
export const refusePausedSender =
  (listLimits: (context: AnonymousContext | Context) => RateLimit[], describe?: (wait: string) => string) =>
  async (context: AnonymousContext): Promise<SenderFacts> => {
    if (context.tenantId === undefined) return {}
    const { is_known, paused_until } = await readSender(context, context.tenantId, listLimits(context))
    if (paused_until) throw tooMany(secondsUntil(paused_until, context.services.now()), describe)
    return { isKnownNetwork: is_known }
  }

/**
 * Refuses unknown networks that are paused, and any request whose password check would be refused, so that each request
 * of a flood costs one read. For a known network, the account's limit decides.
 */
export const checkSignInSender = async (context: AnonymousContext): Promise<SenderFacts> => {
  const { tenantId, address, services } = context
  if (tenantId === undefined) return {}
  const { is_known, paused_until } = await readSender(context, tenantId, listNetworkLimits(address))
  if (paused_until && !is_known) throw tooMany(secondsUntil(paused_until, services.now()))
  refuseIfQueueFull({ tenantId, network: toCustomerNetwork(address), lane: is_known ? 'known' : 'stranger' })
  return { isKnownNetwork: is_known }
}
