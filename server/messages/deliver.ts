import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Database, Db } from '../db.ts'
import { getTenantSettings } from '../tenants/settings.ts'
import { backOffMs } from '../vendor/pause.ts'
import type { Courier, OutgoingMessage, Verdict } from './courier.ts'

// Longer than any attempt may last: after a crash, another process takes the message over.
const LEASE_MS = 5 * 60_000
const FIRST_RETRY_MS = 5_000
const LONGEST_RETRY_MS = 5 * 60_000
const LONGEST_PAUSE_MS = 60_000
const GIVE_UP_AFTER_MS = 3 * 86_400_000
const LANES = 2

const withJitter = (ms: number) => Math.ceil(ms * (0.8 + Math.random() * 0.4))

interface Claimed extends OutgoingMessage {
  attempts: number
  createdAt: Date
  expiresAt: Date | null
}

const claimNext = async (db: Db, tenantId: string, channel: string, now: Date) => {
  const row = await db
    .updateTable('messages')
    .set((eb) => ({
      state: 'sending',
      attempts: eb('attempts', '+', 1),
      next_attempt_at: new Date(now.getTime() + LEASE_MS),
    }))
    .where('tenant_id', '=', tenantId)
    .where('id', '=', (eb) =>
      eb
        .selectFrom('messages')
        .select('id')
        .where('tenant_id', '=', tenantId)
        .where('channel', '=', channel)
        .where('state', 'in', ['queued', 'sending'])
        .where('next_attempt_at', '<=', now)
        .orderBy('next_attempt_at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst()
  return row
}

const findNextDue = async (db: Db, tenantId: string, channel: string) => {
  const { due } = await db
    .selectFrom('messages')
    .select((eb) => eb.fn.min('next_attempt_at').as('due'))
    .where('tenant_id', '=', tenantId)
    .where('channel', '=', channel)
    .where('state', 'in', ['queued', 'sending'])
    .executeTakeFirstOrThrow()
  return due
}

const finish = (db: Db, tenantId: string, id: string, state: 'sent' | 'failed', now: Date, reason: string | null) =>
  db
    .updateTable('messages')
    .set({
      state,
      last_error: reason,
      finished_at: now,
      text: sql<string>`case when is_secret then '' else text end`,
      html: sql<string | null>`case when is_secret then null else html end`,
    })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()

const putOff = (db: Db, tenantId: string, { id, attempts }: Claimed, now: Date, reason: string) => {
  const delayMs = withJitter(backOffMs(attempts, FIRST_RETRY_MS, LONGEST_RETRY_MS))
  return db
    .updateTable('messages')
    .set({ state: 'queued', last_error: reason, next_attempt_at: new Date(now.getTime() + delayMs) })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

interface Options {
  database: Database
  courier: Courier
  mailFrom: string | undefined
  log: FastifyBaseLogger
  now: () => Date
}

/** Delivers a tenant's messages that are due, and answers when the next one is. */
export const createDelivery = ({ database, courier, mailFrom, log, now }: Options) => {
  let failures = 0
  let pausedUntilMs = 0
  let stopped = false

  const claim = (tenantId: string): Promise<Claimed | undefined> =>
    database.transaction({ tenantId }, async (db) => {
      const row = await claimNext(db, tenantId, courier.channel, now())
      if (!row) return undefined
      const { config } = await getTenantSettings(db, tenantId)
      const address = mailFrom ?? config.support_email
      return {
        ...row,
        channel: courier.channel,
        replyTo: row.reply_to,
        messageId: row.message_id,
        createdAt: row.created_at,
        expiresAt: row.expires_at,
        from: { name: config.company_name ?? 'Dishboard', address },
      }
    })

  const noteReach = (verdict: Verdict) => {
    if (verdict.kind !== 'out of reach') {
      if (failures > 0) log.info({ channel: courier.channel }, 'Messages leave again.')
      failures = 0
      return
    }
    failures++
    pausedUntilMs = now().getTime() + withJitter(backOffMs(failures, FIRST_RETRY_MS, LONGEST_PAUSE_MS))
    if (failures === 1) log.warn({ channel: courier.channel, reason: verdict.reason }, 'Messages cannot leave now.')
  }

  const settle = (tenantId: string, message: Claimed, verdict: Verdict) =>
    database.transaction({ tenantId }, async (db) => {
      if (verdict.kind === 'sent') return finish(db, tenantId, message.id, 'sent', now(), null)
      if (verdict.kind === 'refused') return finish(db, tenantId, message.id, 'failed', now(), verdict.reason)
      const isTooOld = now().getTime() - message.createdAt.getTime() > GIVE_UP_AFTER_MS
      if (isTooOld) return finish(db, tenantId, message.id, 'failed', now(), `given up: ${verdict.reason}`)
      return putOff(db, tenantId, message, now(), verdict.reason)
    })

  const deliverNext = async (tenantId: string): Promise<boolean> => {
    const message = await claim(tenantId)
    if (!message) return false
    const isOver = message.expiresAt !== null && message.expiresAt <= now()
    const verdict: Verdict = isOver
      ? { kind: 'refused', reason: 'It expired before it could be sent.' }
      : await courier.carry(message)
    if (!isOver) noteReach(verdict)
    if (verdict.kind === 'refused')
      log.warn({ tenantId, messageId: message.id, reason: verdict.reason }, 'A message was refused and is not sent.')
    await settle(tenantId, message, verdict)
    return true
  }

  const isPaused = () => stopped || now().getTime() < pausedUntilMs
  const lane = async (tenantId: string) => {
    while (!isPaused() && (await deliverNext(tenantId)));
  }

  return {
    deliverDue: async (tenantId: string): Promise<Date | undefined> => {
      await Promise.all(Array.from({ length: LANES }, () => lane(tenantId)))
      const due = await database.transaction({ tenantId }, (db) => findNextDue(db, tenantId, courier.channel))
      return due ? new Date(Math.max(due.getTime(), pausedUntilMs)) : undefined
    },
    /** Lets what is under way end; the rest stays queued. */
    stop: () => {
      stopped = true
    },
  }
}
