import { sql } from 'kysely'
import { describeDevice } from '#contract/device.ts'
import type { SecurityEventKind } from '#contract/security-event-kinds.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { toCustomerNetwork, toProviderNetwork } from '../platform/network.ts'
import { sha256 } from '../platform/secrets.ts'
import { enqueue } from '../platform/worker/enqueue.ts'

/** The origin of a request. The context of a request is one. */
export interface RequestOrigin {
  address: string
  userAgent: string
}

export interface SecurityEvent {
  kind: SecurityEventKind
  /** The email address of the account that it concerns, as stored or as entered. */
  account: string
  /** Absent if the account does not exist, or is deleted in this transaction. */
  userId?: number | undefined
  /** An email address, or the name of a job or command. By default, the account itself. */
  actor?: string
  /** Absent if the event was not caused by a request. */
  origin?: RequestOrigin | undefined
  /** Never a secret: users and administrators can read it, and it is sent to the operator's log. */
  details?: Record<string, string | number | boolean | null> | undefined
}

/** Occurrences within an hour are folded into one row. */
const FOLDED: ReadonlySet<SecurityEventKind> = new Set([
  'sign_in_failed',
  'sign_in_locked',
  'code_failed',
  'passkey_failed',
  'confirmation_failed',
  'password_requested',
  'token_refused',
  'token_new_address',
  'sso_refused',
])
const FOLD_MS = 3_600_000

/** Rows of folded kinds per tenant and hour, beyond which they are folded by account or kind alone. */
export const MAX_FOLDED_ROWS = 200

const countFoldedRows = async (db: Db, tenantId: string, hourStart: Date) => {
  const { rows } = await sql<{ rows: number }>`
    select count(*)::int as rows from (
      select from security_events
      where tenant_id = ${tenantId} and at >= ${hourStart} and fold_key is not null limit ${MAX_FOLDED_ROWS}) as folded`.execute(
    db,
  )
  return rows[0]?.rows ?? 0
}

const toRow = (tenantId: string, now: Date, { kind, account, userId, actor, origin, details = {} }: SecurityEvent) => ({
  tenant_id: tenantId,
  kind,
  at: now,
  last_at: now,
  user_id: userId ?? null,
  account,
  actor: actor ?? account,
  address: origin?.address ?? '',
  network: origin ? toProviderNetwork(origin.address) : '',
  device: origin ? describeDevice(origin.userAgent) : '',
  details: JSON.stringify(details),
})

/**
 * An attacker can cause any number of failures, so those from one network at one account or token within an hour are one row. When
 * a tenant has too many such rows, they are folded across networks, and all nonexistent accounts into one row.
 */
const foldRow = async (db: Db, tenantId: string, now: Date, event: SecurityEvent) => {
  const row = toRow(tenantId, now, event)
  const hourStart = new Date(Math.floor(now.getTime() / FOLD_MS) * FOLD_MS)
  const isFull = (await countFoldedRows(db, tenantId, hourStart)) >= MAX_FOLDED_ROWS
  const folded = isFull
    ? { ...row, address: '', network: '', device: '', ...(event.userId === undefined && { account: '', actor: '' }) }
    : row
  const network = isFull ? '' : toCustomerNetwork(row.address)
  const token = isFull ? undefined : event.details?.token
  const key = [row.kind, hourStart.toISOString(), row.user_id, folded.account.toLowerCase(), network, token]
  return { ...folded, fold_key: sha256(JSON.stringify(key)) }
}

/**
 * Adds an event in the transaction that causes it. A refusal is recorded in a separate transaction that is committed
 * first.
 */
export const recordSecurityEvent = async (db: Db, tenantId: string, now: Date, event: SecurityEvent) => {
  const row = FOLDED.has(event.kind) ? await foldRow(db, tenantId, now, event) : toRow(tenantId, now, event)
  const { count, sent_count } = await db
    .insertInto('security_events')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'fold_key']).doUpdateSet((eb) => ({
        count: eb('security_events.count', '+', 1),
        last_at: now,
        address: row.address,
        device: row.device,
      })),
    )
    .returning(['count', 'sent_count'])
    .executeTakeFirstOrThrow()
  // Otherwise the row is already queued.
  if (count === sent_count + 1) await enqueue(db, 'security-events', tenantId)
}

/** Records an export of data by a user; `what` names it for administrators. */
export const recordExport = (db: Db, ctx: Context, what: string) =>
  recordSecurityEvent(db, ctx.tenantId, ctx.services.now(), {
    kind: 'export',
    account: ctx.user.email,
    userId: ctx.user.userId,
    origin: ctx,
    details: { what },
  })
