import type { Done } from '#contract/basic-bodies.ts'
import { isEmail } from '#contract/credentials.ts'
import { notFound } from '#contract/errors.ts'
import type { Ticket } from '#contract/support.ts'
import type { TenantConfig } from '#contract/tenants.ts'
import { recordAudit } from '../audit/record.ts'
import { consume, perMinutes } from '../identity/rate-limits.ts'
import { requireTenantId } from '../identity/require-tenant.ts'
import { queueBrandedMail } from '../messages/queue-branded-mail.ts'
import { type AnonymousContext, type Context, openTransaction } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { toCustomerNetwork } from '../platform/network.ts'
import { getTenantSettings } from '../tenants/settings.ts'

export const listTicketLimits = (address: string) => [
  perMinutes(`ticket:${toCustomerNetwork(address)}`, 10, 60),
  perMinutes('ticket', 300, 60),
]
export const describeTicketWait = (wait: string) => `Too many tickets were sent from here. Please try again in ${wait}.`

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
  await openTransaction(
    context,
    tenantId,
  )(async (db) => {
    const { config } = await getTenantSettings(db, tenantId)
    if (config.ticket !== 'email') throw notFound('Tickets are not taken here.')
    await consume(db, tenantId, listTicketLimits(context.address), now(), describeTicketWait)
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
  })
  return { message: 'Ticket submitted!' }
}
