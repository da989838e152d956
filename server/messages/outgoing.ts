import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'

// Longer than any attempt may last: after it, another process may take the message over.
export const LEASE_MS = 5 * 60_000

/** Takes the message that has been due longest, for as long as an attempt may last. */
export const claimNext = async (db: Db, tenantId: string, channel: string, now: Date) => {
  const due = await db
    .selectFrom('messages')
    .select(['id', 'state', 'attempted_at'])
    .where('tenant_id', '=', tenantId)
    .where('channel', '=', channel)
    .where('state', 'in', ['queued', 'sending'])
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!due) return undefined
  const row = await db
    .updateTable('messages')
    .set((eb) => ({
      state: 'sending',
      attempts: eb('attempts', '+', 1),
      due_at: new Date(now.getTime() + LEASE_MS),
      // Of one that was being sent, the moment of that attempt is what it can be found by.
      attempted_at: due.state === 'sending' ? due.attempted_at : now,
    }))
    .where('tenant_id', '=', tenantId)
    .where('id', '=', due.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...row, wasBeingSent: due.state === 'sending' }
}

export type ClaimedRow = NonNullable<Awaited<ReturnType<typeof claimNext>>>

/** One attempt at a message: whoever was held up beyond the lease finds another's number there, and writes nothing. */
export type Attempt = Pick<ClaimedRow, 'id' | 'attempts'>

export const findNextDue = async (db: Db, tenantId: string, channel: string) => {
  const { due } = await db
    .selectFrom('messages')
    .select((eb) => eb.fn.min('due_at').as('due'))
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

export const finish = (db: Db, tenantId: string, attempt: Attempt, { state, now, reason, gatewayId }: End) =>
  db
    .updateTable('messages')
    .set({
      state,
      last_error: reason ?? null,
      finished_at: now,
      gateway_id: gatewayId ?? null,
      text: sql<string>`case when is_secret then '' else text end`,
      html: sql<string | null>`case when is_secret then null else html end`,
    })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', attempt.id)
    .where('attempts', '=', attempt.attempts)
    .execute()

interface Later {
  /** 'sending' while its fate is unknown: then it is looked up before it is sent. */
  state: 'queued' | 'sending'
  at: Date
  reason: string
}

export const putOff = (db: Db, tenantId: string, attempt: Attempt, { state, at, reason }: Later) =>
  db
    .updateTable('messages')
    .set({ state, last_error: reason, due_at: at })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', attempt.id)
    .where('attempts', '=', attempt.attempts)
    .execute()
