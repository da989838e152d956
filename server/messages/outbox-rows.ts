import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { claimItem, isClaimedBy, readDueTime } from '../platform/worker/claim-item.ts'

// Longer than any attempt can take. After that, another process may claim the message.
export const LEASE_MS = 5 * 60_000

// A text can wait for the morning of its recipient.
const LONGEST_WAIT_MS = { email: 3_600_000, sms: 48 * 3_600_000 }

type Channel = keyof typeof LONGEST_WAIT_MS

/** Claims the message that has been due longest, for the length of a lease. */
export const claimNextMessage = async (db: Db, tenantId: string, channel: Channel, now: Date) => {
  const row = await claimItem(db, 'messages', {
    tenantId,
    now,
    leaseMs: LEASE_MS,
    longestWaitMs: LONGEST_WAIT_MS[channel],
    where: sql`item.channel = ${channel} and item.state in ('queued', 'sending')`,
    // A message that was being sent is looked up by the time of that attempt.
    set: sql`state = 'sending',
      attempted_at = case when item.state = 'sending' then item.attempted_at else ${now} end`,
  })
  return row && { ...row, wasBeingSent: row.previousState === 'sending' }
}

export type ClaimedRow = NonNullable<Awaited<ReturnType<typeof claimNextMessage>>>

/** One attempt at a message. A worker that stalled past its lease finds another attempt number and writes nothing. */
export type Attempt = Pick<ClaimedRow, 'id' | 'attempts'>

export const findNextDue = async (db: Db, tenantId: string, channel: Channel, now: Date) => {
  const dueTime = readDueTime(sql`due_at`, now, LONGEST_WAIT_MS[channel])
  const { due } = await db
    .selectFrom('messages')
    .select((eb) => eb.fn.min(dueTime).as('due'))
    .where('tenant_id', '=', tenantId)
    .where('channel', '=', channel)
    .where('state', 'in', ['queued', 'sending'])
    .executeTakeFirstOrThrow()
  return due
}

interface End {
  state: 'sent' | 'failed' | 'unknown'
  now: Date
  reason?: string
  gatewayId?: string | undefined
}

export const finishMessage = (db: Db, tenantId: string, attempt: Attempt, { state, now, reason, gatewayId }: End) =>
  db
    .updateTable('messages')
    .set({
      state,
      last_error: reason ?? null,
      finished_at: now,
      gateway_id: gatewayId ?? null,
      sealed_body: null,
    })
    .where(isClaimedBy(tenantId, attempt))
    .execute()

interface Later {
  /** 'sending' while its outcome is unknown. It is then looked up before it is sent. */
  state: 'queued' | 'sending'
  at: Date
  reason: string
}

export const postponeMessage = (db: Db, tenantId: string, attempt: Attempt, { state, at, reason }: Later) =>
  db
    .updateTable('messages')
    .set({ state, last_error: reason, due_at: at })
    .where(isClaimedBy(tenantId, attempt))
    .execute()
