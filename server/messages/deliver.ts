import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Database, Db } from '../platform/database/database.ts'
import type { Secrets } from '../platform/secrets.ts'
import { backoffMs, withJitter } from '../platform/worker/pause.ts'
import { getTenantConfiguration } from '../tenants/configuration.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'
import { CONCURRENT_MESSAGES } from './concurrency.ts'
import {
  type Attempt,
  type ClaimedRow,
  claimNextMessage,
  findNextDue,
  finishMessage,
  LEASE_MS,
  postponeMessage,
} from './outbox-rows.ts'
import { openBody } from './sealed-body.ts'
import { createSlowDomains } from './slow-domains.ts'
import { spendSmsBudget } from './sms-budget.ts'
import type { LookupResult, MessageTransport, OutgoingMessage, SendResult } from './transport.ts'

const FIRST_RETRY_MS = 5_000
const LONGEST_RETRY_MS = 5 * 60_000
const GIVE_UP_AFTER_MS = 3 * 86_400_000
// Bounded, so that other tenants get their turn.
const MESSAGES_PER_TURN = 50

interface Claimed extends OutgoingMessage {
  attempts: number
  claimedAt: Date
  createdAt: Date
  expiresAt: Date | null
  wasBeingSent: boolean
}

/** Checks a message again when it is sent. Returns its current content, or why it is withdrawn. */
export type Revalidate = (
  db: Db,
  tenantId: string,
  row: ClaimedRow,
) => Promise<
  | (Pick<OutgoingMessage, 'subject' | 'text' | 'html'> & Partial<Pick<OutgoingMessage, 'attachments'>>)
  | { withdrawn: string }
>

/** The headers of a mailing list for a message about a notice. */
export type FindListHeaders = (db: Db, tenantId: string, row: ClaimedRow) => Promise<Record<string, string>>

interface Options {
  database: Database
  secrets: Secrets
  transport: MessageTransport
  mailFrom: string | undefined
  log: FastifyBaseLogger
  now: () => Date
  revalidate?: Revalidate
  findListHeaders?: FindListHeaders
}

const isExpired = ({ expiresAt }: Claimed, now: Date) => expiresAt !== null && expiresAt <= now

/** Delivers a tenant's due messages and returns when the next one is due. */
export const createDelivery = ({ database, secrets, transport, mailFrom, log, now, ...options }: Options) => {
  const { revalidate, findListHeaders } = options
  const breaker = createCircuitBreaker({ channel: transport.channel, log, now })
  const slowDomains = createSlowDomains(now)

  const getRetryTime = ({ attempts }: Attempt) =>
    new Date(now().getTime() + withJitter(backoffMs(attempts, FIRST_RETRY_MS, LONGEST_RETRY_MS)))
  const isTooOld = (createdAt: Date) => now().getTime() - createdAt.getTime() > GIVE_UP_AFTER_MS

  /** Requeues a message that was certainly not sent, or gives up on it when it is too old. */
  const requeue = (db: Db, tenantId: string, attempt: Attempt, createdAt: Date, reason: string) =>
    isTooOld(createdAt)
      ? finishMessage(db, tenantId, attempt, { state: 'failed', now: now(), reason: `given up: ${reason}` })
      : postponeMessage(db, tenantId, attempt, { state: 'queued', at: getRetryTime(attempt), reason })

  /** The content to send; undefined if the message was withdrawn, or could not be checked and stays queued. */
  const checkBeforeSending = async (db: Db, tenantId: string, row: ClaimedRow) => {
    // A message that may have been sent keeps its text if the gateway supports a lookup: the lookup compares it.
    const isLookedUp = row.wasBeingSent && transport.lookUp !== undefined
    if (row.notice === null || isLookedUp || !revalidate) {
      const opened = openBody(secrets, tenantId, row)
      if (opened) return { ...opened, attachments: [] }
      const reason = 'It could not be decrypted: SECRET_KEY has changed.'
      await finishMessage(db, tenantId, row, { state: 'failed', now: now(), reason })
      return undefined
    }
    // Without it, a failed statement would roll back the claim, and this message would be claimed first forever.
    await sql`savepoint revalidation`.execute(db)
    try {
      const valid = await revalidate(db, tenantId, row)
      if (!('withdrawn' in valid)) return valid
      await finishMessage(db, tenantId, row, { state: 'failed', now: now(), reason: valid.withdrawn })
    } catch (error) {
      await sql`rollback to savepoint revalidation`.execute(db)
      log.error({ err: error, tenantId, messageId: row.id }, 'A message could not be checked before sending.')
      await requeue(db, tenantId, row, row.created_at, String(error))
    }
    return undefined
  }

  const claim = (tenantId: string): Promise<Claimed | 'nothing to send' | undefined> =>
    database.transaction({ tenantId }, async (db) => {
      const claimedAt = now()
      const row = await claimNextMessage(db, tenantId, transport.channel, claimedAt)
      if (!row) return undefined
      const valid = await checkBeforeSending(db, tenantId, row)
      if (!valid) return 'nothing to send'
      // A text is counted once, at its first attempt.
      const overBudget =
        transport.channel === 'sms' && row.attempts === 1 ? await spendSmsBudget(db, tenantId, claimedAt) : undefined
      if (overBudget !== undefined) {
        await finishMessage(db, tenantId, row, { state: 'failed', now: claimedAt, reason: overBudget })
        return 'nothing to send'
      }
      const { subject, text, html } = valid
      if (row.sealed_body === null && text !== row.text)
        await db
          .updateTable('messages')
          .set({ subject, text, html })
          .where('tenant_id', '=', tenantId)
          .where('id', '=', row.id)
          .execute()
      const { config } = await getTenantConfiguration(db, tenantId)
      return {
        id: row.id,
        channel: transport.channel,
        recipient: row.recipient,
        replyTo: row.reply_to,
        subject,
        text,
        html,
        messageId: row.message_id,
        attachments: valid.attachments ?? [],
        listHeaders: row.notice === null ? {} : ((await findListHeaders?.(db, tenantId, row)) ?? {}),
        from: { name: config.company_name ?? 'Dishboard', address: mailFrom ?? config.support_email },
        attemptedAt: row.attempted_at,
        attempts: row.attempts,
        claimedAt,
        createdAt: row.created_at,
        expiresAt: row.expires_at,
        wasBeingSent: row.wasBeingSent,
      }
    })

  const recordResult = async (db: Db, tenantId: string, message: Claimed, result: SendResult): Promise<unknown> => {
    const end = (state: 'sent' | 'failed', reason?: string, gatewayId?: string) =>
      finishMessage(db, tenantId, message, { state, now: now(), ...(reason && { reason }), gatewayId })
    if (result.kind === 'sent') return end('sent', undefined, result.gatewayId)
    if (result.kind === 'refused') return end('failed', result.reason)
    const { reason } = result
    // The server may accept it late, so it can be looked up only once the attempt is certainly over.
    if (result.kind === 'unknown')
      return postponeMessage(db, tenantId, message, {
        state: 'sending',
        at: new Date(now().getTime() + LEASE_MS),
        reason,
      })
    return requeue(db, tenantId, message, message.createdAt, reason)
  }

  const recordLookup = async (db: Db, tenantId: string, message: Claimed, lookup: LookupResult): Promise<unknown> => {
    if (lookup.kind === 'sent')
      return finishMessage(db, tenantId, message, { state: 'sent', now: now(), gatewayId: lookup.gatewayId })
    if (lookup.kind === 'not found')
      return postponeMessage(db, tenantId, message, {
        state: 'queued',
        at: now(),
        reason: 'It never arrived at the gateway.',
      })
    const { reason } = lookup
    if (lookup.kind === 'not supported' || isTooOld(message.createdAt))
      return finishMessage(db, tenantId, message, { state: 'unknown', now: now(), reason })
    return postponeMessage(db, tenantId, message, { state: 'sending', at: getRetryTime(message), reason })
  }

  const logFault = (tenantId: string, message: Claimed, error: unknown) =>
    log.error(
      { err: error, tenantId, messageId: message.id },
      'A message could not be sent; continuing with the others.',
    )

  const tryToLookUp = async (
    tenantId: string,
    message: Claimed,
    find: NonNullable<MessageTransport['lookUp']>,
  ): Promise<LookupResult> => {
    try {
      const lookup = await find(message)
      breaker.recordLookup(lookup)
      return lookup
    } catch (error) {
      logFault(tenantId, message, error)
      return { kind: 'retry later', reason: String(error) }
    }
  }

  const lookUp = async (tenantId: string, message: Claimed, find: NonNullable<MessageTransport['lookUp']>) => {
    const lookup = await tryToLookUp(tenantId, message, find)
    if (lookup.kind === 'not supported')
      log.warn({ tenantId, messageId: message.id, reason: lookup.reason }, 'The outcome of a message is unknown.')
    await database.transaction({ tenantId }, (db) => recordLookup(db, tenantId, message, lookup))
  }

  const tryToSend = async (tenantId: string, message: Claimed): Promise<SendResult> => {
    if (isExpired(message, now())) return { kind: 'refused', reason: 'It expired before it could be sent.' }
    try {
      const result = await transport.send(message)
      breaker.recordSend(result)
      return result
    } catch (error) {
      logFault(tenantId, message, error)
      // It may have been sent. Only a channel with a lookup can avoid sending it twice.
      return { kind: transport.lookUp ? 'unknown' : 'deferred', reason: String(error) }
    }
  }

  const sendInTurn = async (tenantId: string, message: Claimed): Promise<SendResult> => {
    if (message.channel !== 'email') return tryToSend(tenantId, message)
    if (!slowDomains.tryEnter(tenantId, message.recipient))
      return {
        kind: 'deferred',
        reason: 'The mail server did not respond when it was sent another mail to this domain.',
      }
    const result = await tryToSend(tenantId, message)
    slowDomains.leave(tenantId, message.recipient, result.kind === 'timed out')
    return result
  }

  const send = async (tenantId: string, message: Claimed) => {
    // A process that was suspended for minutes (a closed laptop, a stopped container) may have lost its lease.
    if (now().getTime() - message.claimedAt.getTime() > LEASE_MS / 2) return
    const result = await sendInTurn(tenantId, message)
    if (result.kind === 'refused')
      log.warn({ tenantId, messageId: message.id, reason: result.reason }, 'A message was refused and is not sent.')
    await database.transaction({ tenantId }, (db) => recordResult(db, tenantId, message, result))
  }

  const deliverNext = async (tenantId: string): Promise<boolean> => {
    const message = await claim(tenantId)
    if (!message) return false
    if (message === 'nothing to send') return true
    if (message.wasBeingSent && transport.lookUp) await lookUp(tenantId, message, transport.lookUp)
    else await send(tenantId, message)
    return true
  }

  return {
    /** Once the signal is aborted, messages in flight are finished and the rest stay queued. */
    deliverDue: async (tenantId: string, signal?: AbortSignal): Promise<Date | undefined> => {
      let left = MESSAGES_PER_TURN
      const lane = async () => {
        while (!signal?.aborted && breaker.getPauseMs() === 0 && left-- > 0 && (await deliverNext(tenantId)));
      }
      await Promise.all(Array.from({ length: CONCURRENT_MESSAGES }, lane))
      const due = await database.transaction({ tenantId }, (db) => findNextDue(db, tenantId, transport.channel, now()))
      return due ? new Date(Math.max(due.getTime(), now().getTime() + breaker.getPauseMs())) : undefined
    },
  }
}
