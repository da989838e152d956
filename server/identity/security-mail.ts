import { describeDevice } from '#contract/device.ts'
import { formatDateTime } from '#contract/format/times.ts'
import { queueBrandedMail } from '../messages/queue-branded-mail.ts'
import type { Db } from '../platform/database/database.ts'
import type { RequestOrigin } from '../security-events/record.ts'

interface SecurityNotice {
  subject: string
  /** The affected account. Unset: it concerns the whole portal. */
  account?: string
  actor: string
  /** Unset if a command did it. */
  origin?: RequestOrigin | undefined
  now: Date
  /** What the reader should know besides who did it, and when. */
  facts?: [string, string][]
}

const listOrigin = ({ address, userAgent }: RequestOrigin): [string, string][] => [
  ['Address', address],
  ['Device', describeDevice(userAgent)],
]

/** Mails a security notice, so that the owner of an account, or the administrators, notice actions of others. */
export const mailSecurityNotice = (
  db: Db,
  tenantId: string,
  recipients: readonly string[],
  { subject, account, actor, origin, now, facts = [] }: SecurityNotice,
) =>
  queueBrandedMail(db, tenantId, [...new Set(recipients)], ({ company }, timeZone) => ({
    subject,
    paragraphs: [
      account === undefined
        ? `This concerns the portal of ${company}.`
        : `This concerns the account ${account} at ${company}.`,
      'If you did not expect this, somebody else may have access. Please change your password, sign out your other sessions in your profile, and contact support.',
    ],
    facts: [...facts, ['By', actor], ['Time', formatDateTime(now, timeZone)], ...(origin ? listOrigin(origin) : [])],
  }))
