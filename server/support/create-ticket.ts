import { sql } from 'kysely'
import { isEmail } from '#contract/credentials.ts'
import { notFound } from '#contract/errors.ts'
import type { Ticket } from '#contract/support.ts'
import type { TenantConfig } from '#contract/tenants.ts'
import { recordAudit } from '../audit/record.ts'
import { consume, perMinutes, perNetwork } from '../identity/rate-limits.ts'
import { requireTenantId } from '../identity/require-tenant.ts'
import { queueBrandedMail } from '../messages/queue-branded-mail.ts'
import { type AnonymousContext, type Context, openTransaction } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { getTenantConfiguration } from '../tenants/configuration.ts'

/** Visitors have a limit in common, so that none of them fills the inbox from many networks. Users are known. */
export const listTicketLimits = (context: AnonymousContext | Context) =>
  'user' in context
    ? [perMinutes(`ticket of user:${context.user.userId}`, 20, 60)]
    : [...perNetwork('ticket', context.address, 10, 60), perMinutes('ticket', 300, 60)]
export const describeTicketWait = (wait: string) => `Too many tickets were sent from here. Please try again in ${wait}.`

/** The name and numbers of the terminal, if the sender is signed in and may see it. */
const describeTerminal = async (db: Db, tenantId: string, key: string) => {
  const { rows } = await sql<{ name: string; nickname: string; kit: string | null }>`
    select coalesce(line.custom_name, line.nickname) as name, line.nickname, terminal.kit_serial as kit
    from service_lines as line
    left join terminals as terminal on terminal.tenant_id = line.tenant_id
      and terminal.service_line_id = line.id and terminal.removed_at is null
    where line.tenant_id = ${tenantId} and line.removed_at is null
      and ${key} in (line.nickname, line.service_line_number, terminal.kit_serial)
    order by terminal.id limit 1`.execute(db)
  const [found] = rows
  if (!found) return null
  return [found.name, found.nickname !== found.name && found.nickname, found.kit].filter(Boolean).join(', ')
}

/** The tenant's next number. Concurrent tickets are serialized, and a number is not reused when its ticket is purged. */
const takeNumber = async (db: Db, tenantId: string) => {
  const { last_ticket_number } = await db
    .updateTable('tenant_settings')
    .set((eb) => ({ last_ticket_number: eb('last_ticket_number', '+', 1) }))
    .where('tenant_id', '=', tenantId)
    .returning('last_ticket_number')
    .executeTakeFirstOrThrow()
  return last_ticket_number
}

interface NumberedTicket extends Ticket {
  number: number
  terminalName: string | null
  signedIn: string | undefined
}

const formatConversation = (conversation: NonNullable<Ticket['conversation']>) =>
  [
    'Asked before of the assistant:',
    ...conversation.flatMap(({ question, answer }) => [`Question: ${question}`, `Answer: ${answer}`]),
  ].join('\n')

const mailToSupport = async (db: Db, tenantId: string, config: TenantConfig, ticket: NumberedTicket) => {
  if (!config.support_email || !isEmail(config.support_email)) return false
  const { number, name, email, message, page, terminalName, conversation = [], signedIn } = ticket
  await queueBrandedMail(db, tenantId, [config.support_email], () => ({
    subject: `Ticket #${number} from ${name}`,
    heading: `Ticket #${number}`,
    replyTo: email,
    paragraphs: ['A customer asks for help. Reply to this mail to answer them.'],
    facts: [
      ['Name', name],
      ['Email', email],
      ['Signed in as', signedIn ?? 'nobody'],
      ...(terminalName === null ? [] : [['Terminal', terminalName] as [string, string]]),
      ...(page === undefined ? [] : [['Page', page] as [string, string]]),
    ],
    quote: conversation.length === 0 ? message : `${message}\n\n${formatConversation(conversation)}`,
  }))
  return true
}

/** Stores a ticket and mails it to the tenant's support. */
export const createTicket = async (context: AnonymousContext | Context, ticket: Ticket) => {
  const tenantId = requireTenantId(context)
  const { now } = context.services
  const user = 'user' in context ? context.user : undefined
  const number = await openTransaction(
    context,
    tenantId,
  )(async (db) => {
    const { config } = await getTenantConfiguration(db, tenantId)
    if (config.ticket !== 'email') throw notFound('This portal does not accept tickets.')
    await consume(db, tenantId, listTicketLimits(context), now(), describeTicketWait)
    const { name, email, message, page, terminal, conversation = [] } = ticket
    const terminalName = user && terminal !== undefined ? await describeTerminal(db, tenantId, terminal) : null
    const taken = await takeNumber(db, tenantId)
    await db
      .insertInto('tickets')
      .values({
        tenant_id: tenantId,
        name,
        email,
        message,
        number: taken,
        page: page ?? null,
        terminal: terminalName,
        conversation: JSON.stringify(conversation),
        user_id: user?.userId ?? null,
        address: context.address,
        created_at: now(),
      })
      .execute()
    const isMailed = await mailToSupport(db, tenantId, config, {
      ...ticket,
      number: taken,
      terminalName,
      signedIn: user?.email,
    })
    if (!isMailed)
      context.log.warn(
        { tenantId, ticket: taken },
        'A ticket was stored but not mailed: the tenant has no support address.',
      )
    if (user)
      await recordAudit(db, tenantId, now(), {
        performer: user.email,
        action: 'ticket.create',
        performee: `#${taken}`,
        details: { name, email },
      })
    return taken
  })
  return { message: 'Ticket submitted!', number }
}
