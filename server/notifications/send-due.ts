import { mailBrandOf } from '../messages/mail-brand.ts'
import { queueMail } from '../messages/queue-mail.ts'
import { queueSms } from '../messages/queue-sms.ts'
import type { Database, Db } from '../platform/database/database.ts'
import type { Json } from '../platform/database/schema.ts'
import { getTenantSettings } from '../tenants/settings.ts'
import {
  addressOf,
  type Channel,
  findPerson,
  listAskers,
  listVisibleLines,
  type Recipient,
  rulesOf,
} from './audience.ts'
import { listFleetEvents } from './events.ts'
import { type KeptNotice, lineIdsOf } from './fit-notice.ts'
import { emptyState, type Notice, plan, type State } from './plan.ts'
import { renderNotice } from './render-notice.ts'

const channels: Channel[] = ['email', 'sms']
// Who reads a text of yesterday's outage today is misled more than helped.
const SMS_EXPIRES_MS = 12 * 3_600_000

export const getSettlingMinutes = async (db: Db, tenantId: string) => {
  const row = await db
    .selectFrom('tenant_settings')
    .select('settling_minutes')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  return row?.settling_minutes ?? 5
}

const queueNotice = async (
  db: Db,
  tenantId: string,
  user: Recipient,
  channel: Channel,
  recipient: string,
  notice: Notice,
) => {
  const brand = mailBrandOf((await getTenantSettings(db, tenantId)).config)
  const lines = await listVisibleLines(db, tenantId, user, lineIdsOf(notice))
  const words = renderNotice(notice, { brand, channel, timeZone: user.time_zone, lines })
  if (!words) return
  const kept = { ...notice, userId: user.id } satisfies KeptNotice as unknown as Json
  const at = new Date(notice.atMs)
  if (channel === 'email')
    await queueMail(db, tenantId, {
      to: recipient,
      subject: words.subject,
      text: words.text,
      html: words.html ?? '',
      notice: kept,
    })
  else
    await queueSms(db, tenantId, {
      to: recipient,
      text: words.text,
      notice: kept,
      notBefore: at,
      expiresAt: new Date(notice.atMs + SMS_EXPIRES_MS),
    })
}

/** Works out one channel of one person until a moment, and queues what follows, in one transaction. */
const sendTo = async (db: Db, tenantId: string, userId: number, channel: Channel, until: Date): Promise<number> => {
  const user = await findPerson(db, tenantId, userId)
  const recipient = user && addressOf(user, channel)
  const key = { tenant_id: tenantId, user_id: userId, channel }
  if (!user || !recipient) {
    // Whoever asks again later is told of what happens from then on.
    await db
      .deleteFrom('notification_states')
      .where((row) => row.and(key))
      .execute()
    return 0
  }
  const begun = { ...key, planned_until: until, state: JSON.stringify(emptyState()) }
  const isNew = await db
    .insertInto('notification_states')
    .values(begun)
    .onConflict((clash) => clash.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  if (isNew) return 0
  const known = await db
    .selectFrom('notification_states')
    .select(['planned_until', 'state'])
    .where((row) => row.and(key))
    .forUpdate()
    .executeTakeFirst()
  if (!known || known.planned_until >= until) return 0
  const lines = await listVisibleLines(db, tenantId, user, user.selected_line_ids)
  const lineIds = lines.map(({ id }) => id)
  const events = await listFleetEvents(db, tenantId, lineIds, { after: known.planned_until, until })
  const rules = rulesOf(user, channel, lineIds, await getSettlingMinutes(db, tenantId))
  const { state, notices } = plan(known.state as unknown as State, events, rules, until.getTime())
  for (const notice of notices) await queueNotice(db, tenantId, user, channel, recipient, notice)
  await db
    .updateTable('notification_states')
    .set({ planned_until: until, state: JSON.stringify(state) })
    .where((row) => row.and(key))
    .execute()
  return notices.length
}

/** Tells everybody of a tenant what they asked to be told, until a moment. Any number of processes may. */
export const sendDue = async (database: Database, tenantId: string, until: Date): Promise<number> => {
  const askers = await database.transaction({ tenantId }, (db) => listAskers(db, tenantId))
  let sent = 0
  for (const { id } of askers)
    for (const channel of channels)
      sent += await database.transaction({ tenantId }, (db) => sendTo(db, tenantId, id, channel, until))
  return sent
}
