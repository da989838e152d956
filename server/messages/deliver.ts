import type { FastifyBaseLogger } from 'fastify'
import type { Database, Db } from '../platform/database/database.ts'
import { backoffMs, withJitter } from '../platform/worker/pause.ts'
import { getTenantSettings } from '../tenants/settings.ts'
import type { Courier, Finding, OutgoingMessage, Verdict } from './courier.ts'
import { type ClaimedRow, claimNext, findNextDue, finish, LEASE_MS, putOff } from './outgoing.ts'

const FIRST_RETRY_MS = 5_000
const LONGEST_RETRY_MS = 5 * 60_000
const LONGEST_PAUSE_MS = 60_000
const GIVE_UP_AFTER_MS = 3 * 86_400_000
const LANES = 2
// Then other tenants have their turn.
const MESSAGES_PER_TURN = 50

interface Claimed extends OutgoingMessage {
  attempts: number
  claimedAt: Date
  createdAt: Date
  expiresAt: Date | null
  wasBeingSent: boolean
}

/** What still holds of a message at the moment of sending: other words, or nothing with the reason why. */
export type Refit = (
  db: Db,
  tenantId: string,
  row: ClaimedRow,
) => Promise<Pick<OutgoingMessage, 'subject' | 'text' | 'html'> | { withdrawn: string }>

interface Options {
  database: Database
  courier: Courier
  mailFrom: string | undefined
  log: FastifyBaseLogger
  now: () => Date
  refit?: Refit
}

const isExpired = ({ expiresAt }: Claimed, now: Date) => expiresAt !== null && expiresAt <= now

/** Delivers a tenant's messages that are due, and answers when the next one is. */
export const createDelivery = ({ database, courier, mailFrom, log, now, refit }: Options) => {
  let failures = 0
  let pausedUntilMs = 0

  const claim = (tenantId: string): Promise<Claimed | 'withdrawn' | undefined> =>
    database.transaction({ tenantId }, async (db) => {
      const claimedAt = now()
      const row = await claimNext(db, tenantId, courier.channel, claimedAt)
      if (!row) return undefined
      // One that may be on its way already keeps its words: it is found by them.
      const fitted = row.notice === null || row.wasBeingSent || !refit ? row : await refit(db, tenantId, row)
      if ('withdrawn' in fitted) {
        await finish(db, tenantId, row, { state: 'failed', now: now(), reason: fitted.withdrawn })
        return 'withdrawn'
      }
      if (fitted.text !== row.text)
        await db
          .updateTable('messages')
          .set({ subject: fitted.subject, text: fitted.text, html: fitted.html })
          .where('tenant_id', '=', tenantId)
          .where('id', '=', row.id)
          .execute()
      const { config } = await getTenantSettings(db, tenantId)
      return {
        id: row.id,
        channel: courier.channel,
        recipient: row.recipient,
        replyTo: row.reply_to,
        subject: fitted.subject,
        text: fitted.text,
        html: fitted.html,
        messageId: row.message_id,
        from: { name: config.company_name ?? 'Dishboard', address: mailFrom ?? config.support_email },
        attemptedAt: row.attempted_at,
        attempts: row.attempts,
        claimedAt,
        createdAt: row.created_at,
        expiresAt: row.expires_at,
        wasBeingSent: row.wasBeingSent,
      }
    })

  const noteReach = (isReached: boolean, reason: string) => {
    if (isReached) {
      if (failures > 0) log.info({ channel: courier.channel }, 'Messages leave again.')
      failures = 0
      return
    }
    failures++
    pausedUntilMs = now().getTime() + withJitter(backoffMs(failures, FIRST_RETRY_MS, LONGEST_PAUSE_MS))
    if (failures === 1) log.warn({ channel: courier.channel, reason }, 'Messages cannot leave now.')
  }

  const later = (message: Claimed) =>
    new Date(now().getTime() + withJitter(backoffMs(message.attempts, FIRST_RETRY_MS, LONGEST_RETRY_MS)))
  const isTooOld = (message: Claimed) => now().getTime() - message.createdAt.getTime() > GIVE_UP_AFTER_MS

  const settle = async (db: Db, tenantId: string, message: Claimed, verdict: Verdict): Promise<unknown> => {
    const end = (state: 'sent' | 'failed', reason?: string, gatewayId?: string) =>
      finish(db, tenantId, message, { state, now: now(), ...(reason && { reason }), gatewayId })
    if (verdict.kind === 'sent') return end('sent', undefined, verdict.gatewayId)
    if (verdict.kind === 'refused') return end('failed', verdict.reason)
    const { reason } = verdict
    // The other side may be slow to take it: only when the attempt is long over can it be looked up.
    if (verdict.kind === 'unknown')
      return putOff(db, tenantId, message, { state: 'sending', at: new Date(now().getTime() + LEASE_MS), reason })
    if (isTooOld(message)) return end('failed', `given up: ${reason}`)
    return putOff(db, tenantId, message, { state: 'queued', at: later(message), reason })
  }

  const settleFinding = async (db: Db, tenantId: string, message: Claimed, finding: Finding): Promise<unknown> => {
    if (finding.kind === 'sent')
      return finish(db, tenantId, message, { state: 'sent', now: now(), gatewayId: finding.gatewayId })
    if (finding.kind === 'never arrived')
      return putOff(db, tenantId, message, { state: 'queued', at: now(), reason: 'It never arrived at the gateway.' })
    const { reason } = finding
    if (finding.kind === 'nobody can tell' || isTooOld(message))
      return finish(db, tenantId, message, { state: 'unknown', now: now(), reason })
    return putOff(db, tenantId, message, { state: 'sending', at: later(message), reason })
  }

  const lookUp = async (tenantId: string, message: Claimed, find: NonNullable<Courier['lookUp']>) => {
    const finding = await find(message)
    noteReach(finding.kind !== 'ask later', 'reason' in finding ? finding.reason : '')
    if (finding.kind === 'nobody can tell')
      log.warn({ tenantId, messageId: message.id, reason: finding.reason }, 'What became of a message is unknown.')
    await database.transaction({ tenantId }, (db) => settleFinding(db, tenantId, message, finding))
  }

  const send = async (tenantId: string, message: Claimed) => {
    // A process that stood still for minutes (a laptop's lid, a stopped container) may find that another has taken over.
    if (now().getTime() - message.claimedAt.getTime() > LEASE_MS / 2) return
    const verdict: Verdict = isExpired(message, now())
      ? { kind: 'refused', reason: 'It expired before it could be sent.' }
      : await courier.carry(message)
    if (!isExpired(message, now()))
      noteReach(
        verdict.kind !== 'out of reach' && verdict.kind !== 'unknown',
        'reason' in verdict ? verdict.reason : '',
      )
    if (verdict.kind === 'refused')
      log.warn({ tenantId, messageId: message.id, reason: verdict.reason }, 'A message was refused and is not sent.')
    await database.transaction({ tenantId }, (db) => settle(db, tenantId, message, verdict))
  }

  const deliverNext = async (tenantId: string): Promise<boolean> => {
    const message = await claim(tenantId)
    if (!message) return false
    if (message === 'withdrawn') return true
    if (message.wasBeingSent && courier.lookUp) await lookUp(tenantId, message, courier.lookUp)
    else await send(tenantId, message)
    return true
  }

  const isPaused = () => now().getTime() < pausedUntilMs

  return {
    /** Once the signal is aborted, what is under way ends, and the rest stays queued. */
    deliverDue: async (tenantId: string, signal?: AbortSignal): Promise<Date | undefined> => {
      let left = MESSAGES_PER_TURN
      const lane = async () => {
        while (!signal?.aborted && !isPaused() && left-- > 0 && (await deliverNext(tenantId)));
      }
      await Promise.all(Array.from({ length: LANES }, lane))
      const due = await database.transaction({ tenantId }, (db) => findNextDue(db, tenantId, courier.channel))
      return due ? new Date(Math.max(due.getTime(), pausedUntilMs, now().getTime())) : undefined
    },
  }
}
