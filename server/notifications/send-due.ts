import type { FastifyBaseLogger } from 'fastify'
import { type PlannedTimes, readPlannedTimes } from '../maintenance/planned-times.ts'
import { queueMail } from '../messages/queue-mail.ts'
import { queueSms } from '../messages/queue-sms.ts'
import type { Database, Db } from '../platform/database/database.ts'
import type { Json } from '../platform/database/schema.ts'
import { getTenantSettings } from '../tenants/tenant-settings.ts'
import {
  buildRules,
  type Channel,
  findAddress,
  findRecipient,
  listSubscribers,
  listVisibleLines,
  type Recipient,
} from './audience.ts'
import { addToDigest, deleteDigest, sendDigest } from './digest.ts'
import { listFleetEvents } from './events.ts'
import { plan } from './plan.ts'
import { emptyState, findNextMoment, type Notice, type State } from './plan-state.ts'
import { type QueuedNotice, writeNotice } from './revalidate-notice.ts'

const channels: Channel[] = ['email', 'sms']
// A text about yesterday's outage misleads more than it helps.
const SMS_EXPIRES_MS = 12 * 3_600_000

const queueNotice = async (
  db: Db,
  tenantId: string,
  user: Recipient,
  channel: Channel,
  recipient: string,
  notice: Notice,
) => {
  if (channel === 'email' && user.digest !== 'at once') {
    await addToDigest(db, tenantId, user.id, notice)
    return
  }
  const words = await writeNotice(db, tenantId, user, channel, notice)
  if (!words) return
  const queued = { ...notice, userId: user.id } satisfies QueuedNotice as unknown as Json
  const at = new Date(notice.atMs)
  if (channel === 'email')
    await queueMail(db, tenantId, {
      to: recipient,
      subject: words.subject,
      text: words.text,
      html: words.html ?? '',
      notice: queued,
    })
  else
    await queueSms(db, tenantId, {
      to: recipient,
      text: words.text,
      notice: queued,
      notBefore: at,
      expiresAt: new Date(notice.atMs + SMS_EXPIRES_MS),
    })
}

/** Plans one channel of one user up to a time and queues the messages. Returns when something is due next. */
const planChannel = async (
  db: Db,
  tenantId: string,
  user: Recipient,
  channel: Channel,
  recipient: string,
  until: Date,
  planned: PlannedTimes,
): Promise<number | undefined> => {
  const key = { tenant_id: tenantId, user_id: user.id, channel }
  const initial = { ...key, planned_until: until, state: JSON.stringify(emptyState()) }
  const isNew = await db
    .insertInto('notification_states')
    .values(initial)
    .onConflict((clash) => clash.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  if (isNew) return undefined
  const known = await db
    .selectFrom('notification_states')
    .select(['planned_until', 'state'])
    .where((row) => row.and(key))
    .forUpdate()
    .executeTakeFirst()
  if (!known) return undefined
  if (known.planned_until >= until) return findNextMoment(known.state as unknown as State)
  const lines = await listVisibleLines(db, tenantId, user, user.selected_line_ids)
  const lineIds = lines.map(({ id }) => id)
  const events = await listFleetEvents(db, tenantId, lineIds, { after: known.planned_until, until })
  const { settlingMinutes } = await getTenantSettings(db, tenantId)
  const rules = buildRules(user, channel, lineIds, settlingMinutes, planned)
  const { state, notices } = plan(known.state as unknown as State, events, rules, until.getTime())
  for (const notice of notices) await queueNotice(db, tenantId, user, channel, recipient, notice)
  await db
    .updateTable('notification_states')
    .set({ planned_until: until, state: JSON.stringify(state) })
    .where((row) => row.and(key))
    .execute()
  return findNextMoment(state)
}

/** Notifies one user on one channel about events up to a time. Returns when something is due next. */
const sendToUser = async (
  db: Db,
  tenantId: string,
  userId: number,
  channel: Channel,
  until: Date,
  planned: PlannedTimes,
): Promise<number | undefined> => {
  const user = await findRecipient(db, tenantId, userId)
  const recipient = user && findAddress(user, channel)
  if (!user || !recipient) {
    // A user who subscribes again later is notified only about events from then on.
    await db
      .deleteFrom('notification_states')
      .where((row) => row.and({ tenant_id: tenantId, user_id: userId, channel }))
      .execute()
    if (channel === 'email') await deleteDigest(db, tenantId, userId)
    return undefined
  }
  const nextMs = await planChannel(db, tenantId, user, channel, recipient, until, planned)
  const digestMs = channel === 'email' ? await sendDigest(db, tenantId, user, until) : undefined
  return nextMs === undefined || digestMs === undefined ? (nextMs ?? digestMs) : Math.min(nextMs, digestMs)
}

interface Options {
  database: Database
  tenantId: string
  /** A time of the tenant's event clock. */
  until: Date
  log: Pick<FastifyBaseLogger, 'error'>
  /** Ends the work before the next user; who has not been notified is notified by the next run. */
  signal: AbortSignal
}

const RETRY_MS = 60_000
/** Back-to-back maintenance windows can hold a notice for long. */
const LONGEST_HELD_MS = 60 * 86_400_000

/**
 * Notifies the users of a tenant about events up to a time, each in a separate transaction: a failure for one user is
 * logged and retried, and does not affect the others. Returns when something is due next.
 */
export const sendDue = async ({ database, tenantId, until, log, signal }: Options): Promise<Date | undefined> => {
  const { subscribers, planned } = await database.transaction({ tenantId }, async (db) => ({
    subscribers: await listSubscribers(db, tenantId),
    planned: await readPlannedTimes(db, tenantId, new Date(until.getTime() - LONGEST_HELD_MS)),
  }))
  let nextMs = Number.POSITIVE_INFINITY
  for (const { id: userId } of subscribers)
    for (const channel of channels) {
      if (signal.aborted) return until
      const dueMs = await database
        .transaction({ tenantId }, (db) => sendToUser(db, tenantId, userId, channel, until, planned))
        .catch((error: unknown) => {
          log.error({ err: error, tenantId, userId, channel }, 'A user could not be notified; retrying soon.')
          return until.getTime() + RETRY_MS
        })
      nextMs = Math.min(nextMs, dueMs ?? nextMs)
    }
  return Number.isFinite(nextMs) ? new Date(nextMs) : undefined
}
