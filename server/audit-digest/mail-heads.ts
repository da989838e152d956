import { formatDate } from '#contract/format/times.ts'
import { readAnchorFile } from '../audit/anchor-file.ts'
import { type Verification, verifyChain } from '../audit/verify.ts'
import { queueBrandedMail } from '../messages/queue-branded-mail.ts'
import type { Database, Db } from '../platform/database/database.ts'

/** Records the head of the chain for the day; undefined if that is already done, or if there is nothing to record. */
const recordHead = async (db: Db, tenantId: string, day: string) => {
  const end = await db
    .selectFrom('audit_ends')
    .select(['seq', 'hash'])
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  if (!end) return undefined
  return db
    .insertInto('audit_heads')
    .values({ tenant_id: tenantId, day, ...end })
    .onConflict((clash) => clash.doNothing())
    .returning(['seq', 'hash'])
    .executeTakeFirst()
}

const buildMail = (
  company: string,
  tenantId: string,
  day: string,
  head: { seq: number; hash: Buffer },
  { fault }: Verification,
) => {
  const hash = head.hash.toString('hex')
  const subject = fault
    ? `The editing log of ${company} was tampered with: entry ${fault.seq}`
    : `The editing log of ${company} on ${formatDate(new Date(day), 'UTC')} (UTC): entry ${head.seq}`
  return {
    subject,
    paragraphs: [
      fault
        ? `${fault.problem} Somebody has changed the log behind Dishboard’s back. Please find out who can reach the database.`
        : 'The log was read from its first entry to its last, and every entry is as it was written.',
      'Please keep this mail: it stays true whatever happens to the database. Should the log ever be cut off or rewritten, ' +
        `this shows it: npm run dishboard -- audit verify --tenant ${tenantId} --head ${head.seq}:${hash}`,
    ],
    facts: [
      ['Day (UTC)', day],
      ['Last entry', String(head.seq)],
      ['Its hash', hash],
    ] satisfies [string, string][],
  }
}

/** Mails the head of their chain to subscribed administrators, once a day, however often it is called. */
export const mailAuditHead = async (database: Database, tenantId: string, now: Date, dataDir: string) => {
  const anchors = await readAnchorFile(dataDir, tenantId)
  await database.transaction({ tenantId }, async (db) => {
    const day = now.toISOString().slice(0, 10)
    const head = await recordHead(db, tenantId, day)
    if (!head) return
    const administrators = await db
      .selectFrom('users')
      .select(['email', 'gets_audit_mail'])
      .where('tenant_id', '=', tenantId)
      .where('role', '=', 'admin')
      .where('is_service', '=', false)
      .execute()
    const verification = await verifyChain(db, tenantId, anchors)
    const subscribers = administrators.filter(({ gets_audit_mail }) => gets_audit_mail)
    // All administrators are notified of a forged log, or if no subscribers are left.
    const isForAll = verification.fault !== undefined || subscribers.length === 0
    const recipients = (isForAll ? administrators : subscribers).map(({ email }) => email)
    await queueBrandedMail(db, tenantId, recipients, ({ company }) =>
      buildMail(company, tenantId, day, head, verification),
    )
  })
}
