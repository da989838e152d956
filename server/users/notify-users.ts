import { invalid } from '#contract/errors.ts'
import { formatCount, formatCounted } from '#contract/format/numbers.ts'
import { recordAudit } from '../audit/record.ts'
import { queueBrandedMail } from '../messages/queue-branded-mail.ts'
import type { Context } from '../platform/context.ts'

/** Mails a message to the selected users of the tenant. If one of them is unknown, nothing is sent. */
export const notifyUsers = (ctx: Context, { message, users }: { message: string; users: string[] }) =>
  ctx.transaction(async (db) => {
    const known = await db.selectFrom('users').select('email').where('tenant_id', '=', ctx.tenantId).execute()
    const chosen = new Set(users.map((email) => email.toLowerCase()))
    const recipients = known.map(({ email }) => email).filter((email) => chosen.delete(email.toLowerCase()))
    if (chosen.size > 0) throw invalid(`users: ${formatCount(chosen.size)} of them are not known here.`)
    await queueBrandedMail(db, ctx.tenantId, recipients, ({ company }) => ({
      subject: `Message from ${company}`,
      paragraphs: [message],
    }))
    await recordAudit(db, ctx.tenantId, ctx.services.now(), {
      performer: ctx.user.email,
      action: 'user.notify',
      performee: recipients.length === 1 ? (recipients[0] as string) : formatCounted(recipients.length, 'user'),
      details: { message, recipients },
    })
    return { message: 'Notification sent successfully' }
  })
