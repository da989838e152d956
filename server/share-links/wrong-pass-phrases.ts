import { sql } from 'kysely'
import { formatCount } from '#contract/format/numbers.ts'
import { recordAudit } from '../audit/record.ts'
import { mailSecurityNotice } from '../identity/security-mail.ts'
import type { Db } from '../platform/database/database.ts'
import type { RequestOrigin } from '../security-events/record.ts'
import type { OpenLink } from './link-rows.ts'

/** Few enough that a phrase that is not one of the most common is not guessed, however many networks try. */
export const MAX_WRONG_PASS_PHRASES = 500

/** Counts a wrong pass phrase. A link with too many is in wrong hands: it ends, and its creator gets a mail. */
export const recordWrongPassPhrase = async (
  db: Db,
  tenantId: string,
  { id, title }: Pick<OpenLink, 'id' | 'title'>,
  { now, origin }: { now: Date; origin: RequestOrigin },
) => {
  const { rows } = await sql<{ count: number; creator: string }>`
    update share_links as link set wrong_pass_phrases = wrong_pass_phrases + 1,
      revoked_at = case when wrong_pass_phrases + 1 >= ${MAX_WRONG_PASS_PHRASES} then coalesce(revoked_at, ${now})
        else revoked_at end
    from users as creator
    where link.tenant_id = ${tenantId} and link.id = ${id}
      and creator.tenant_id = link.tenant_id and creator.id = link.created_by
    returning wrong_pass_phrases as count, creator.email as creator`.execute(db)
  const [link] = rows
  if (link?.count !== MAX_WRONG_PASS_PHRASES) return
  await recordAudit(db, tenantId, now, {
    performer: 'share link',
    action: 'share_link.revoke',
    performee: title,
    details: { link: id, wrongPassPhrases: link.count },
  })
  await mailSecurityNotice(db, tenantId, [link.creator], {
    subject: `The link to “${title}” was revoked after ${formatCount(link.count)} wrong pass phrases`,
    account: link.creator,
    actor: 'somebody who has the link and not its pass phrase',
    origin,
    now,
  })
}
