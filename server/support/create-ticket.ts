import type { Done } from '#contract/basic-bodies.ts'
import { isEmail } from '#contract/credentials.ts'
import { ApiError, notFound } from '#contract/errors.ts'
import type { Ticket } from '#contract/support.ts'
import type { TenantConfig } from '#contract/tenants.ts'
import { recordAudit } from '../audit/record.ts'
import { consume, type RateLimit, toNetwork } from '../identity/rate-limits.ts'
import { requireTenantId } from '../identity/require-tenant.ts'
import { queueBrandedMail } from '../messages/queue-branded-mail.ts'
import { type AnonymousContext, type Context, openTransaction } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { getTenantSettings } from '../tenants/settings.ts'

export const ticketNetworkLimit = (address: string): RateLimit => ({
  key: `ticket:${toNetwork(address)}`,
  max: 10,
  windowMinutes: 60,
})
const tenantLimit: RateLimit = { key: 'ticket', max: 300, windowMinutes: 60 }

export const tooManyTickets = () =>
  new ApiError(429, 'too_many', 'Too many tickets were sent from here. Please try again in an hour.', 3600)

const mailToSupport = async (
  db: Db,
  tenantId: string,
  config: TenantConfig,
  number: number,
  ticket: Ticket,
  signedIn: string | undefined,
) => {
  if (!config.support_email || !isEmail(config.support_email)) return false
  await queueBrandedMail(db, tenantId, [config.support_email], () => ({
    subject: `Ticket #${number} from ${ticket.name}`,
    heading: `Ticket #${number}`,
    replyTo: ticket.email,
    paragraphs: ['A customer asks for help. Reply to this mail to answer them.'],
    facts: [
      ['Name', ticket.name],
      ['E-mail', ticket.email],
      ['Signed in as', signedIn ?? 'nobody'],
    ],
    quote: ticket.message,
  }))
  return true
}

/** Stores a ticket and mails it to the tenant's support. */
export const createTicket = async (context: AnonymousContext | Context, ticket: Ticket): Promise<Done> => {
  const tenantId = requireTenantId(context)
  const { now } = context.services
  const user = 'user' in context ? context.user : undefined
  const outcome = await openTransaction(
    context,
    tenantId,
  )(async (db) => {
    const { config } = await getTenantSettings(db, tenantId)
    if (config.ticket !== 'email') throw notFound('Tickets are not taken here.')
    if (!(await consume(db, tenantId, [ticketNetworkLimit(context.address), tenantLimit], now()))) return 'too many'
    const { id } = await db
      .insertInto('tickets')
      .values({
        tenant_id: tenantId,
        ...ticket,
        user_id: user?.userId ?? null,
        address: context.address,
        created_at: now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const isMailed = await mailToSupport(db, tenantId, config, id, ticket, user?.email)
    if (!isMailed)
      context.log.warn(
        { tenantId, ticket: id },
        'A ticket was stored but not mailed: the tenant has no support address.',
      )
    if (user)
      await recordAudit(db, tenantId, now(), {
        performer: user.email,
        action: 'ticket.create',
        performee: `#${id}`,
        details: { name: ticket.name, email: ticket.email },
      })
    return 'taken'
  })
  if (outcome === 'too many') throw tooManyTickets()
  return { message: 'Ticket submitted!' }
}
