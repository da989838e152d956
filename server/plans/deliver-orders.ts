import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { StarlinkClient } from '#starlink/client.ts'
import { StarlinkError } from '#starlink/errors.ts'
import { recordAudit } from '../audit/record.ts'
import { insertCommand, updateCommand } from '../commands/command-rows.ts'
import { type LineState, storeLineState } from '../commands/line-state.ts'
import { toVendorFailure } from '../commands/vendor-failure.ts'
import { notifyLinesChanged } from '../fleet/notify.ts'
import type { Database, Db } from '../platform/database/database.ts'
import { claimItem, isClaimedBy, readDueTime } from '../platform/worker/claim-item.ts'
import { POOL_WORKER } from './start-next-cycle.ts'

type Client = Pick<StarlinkClient, 'getServiceLine' | 'optIn' | 'optOut'>

interface Options {
  database: Database
  tenantId: string
  getClient: (credentialId: number) => Promise<Client>
  now: () => Date
  /** No further order is started once it is aborted. */
  signal: AbortSignal
  log: Pick<FastifyBaseLogger, 'error'>
}

interface Order {
  id: number
  service_line_id: number
  service_line_number: string
  nickname: string
  credential_id: number
  pool_name: string
  desired: 'opt out' | 'opt in'
  /** The state before the claim. */
  previousState: 'asked' | 'sending' | 'accepted'
  accepted_at: Date | null
  attempts: number
}

const LEASE_MS = 2 * 60_000
/** Bounded, so that the orders of a large pool do not block other tenants. */
const ORDERS_PER_TURN = 50
const CHECK_AGAIN_MS = 30_000
const CONFIRM_WITHIN_MS = 10 * 60_000
const FIRST_RETRY_MS = 15_000
const LONGEST_RETRY_MS = 10 * 60_000
const LONGEST_WAIT_MS = 3_600_000
const MAX_ATTEMPTS = 200

const later = (now: Date, ms: number) => new Date(now.getTime() + ms)

/** A worker that dies leaves the order 'sending'. The next attempt first checks with the vendor whether it was executed. */
const claimOrder = async (db: Db, tenantId: string, now: Date): Promise<Order | undefined> => {
  const claim = await claimItem(db, 'pool_orders', {
    tenantId,
    now,
    leaseMs: LEASE_MS,
    longestWaitMs: LONGEST_WAIT_MS,
    where: sql`item.state in ('asked', 'sending', 'accepted')
      and not exists (
        select from pool_orders as earlier
        where earlier.tenant_id = item.tenant_id and earlier.service_line_id = item.service_line_id
          and earlier.id < item.id and earlier.state in ('asked', 'sending'))`,
    set: sql`state = case when item.state = 'asked' then 'sending' else item.state end`,
  })
  if (!claim) return undefined
  const names = await db
    .selectFrom('service_lines as line')
    .innerJoin('pool_crossings as crossing', 'crossing.tenant_id', 'line.tenant_id')
    .innerJoin('pools as pool', (join) =>
      join.onRef('pool.tenant_id', '=', 'crossing.tenant_id').onRef('pool.id', '=', 'crossing.pool_id'),
    )
    .select(['line.service_line_number', 'line.nickname', 'line.credential_id', 'pool.name as pool_name'])
    .where('line.tenant_id', '=', tenantId)
    .where('line.id', '=', claim.service_line_id)
    .where('crossing.id', '=', claim.crossing_id)
    .executeTakeFirstOrThrow()
  return { ...claim, ...names } as Order
}

type Outcome =
  | { state: 'seen'; line: LineState }
  | { state: 'accepted' | 'sending' | 'asked'; dueAt: Date; problem?: string }
  | { state: 'refused' | 'not confirmed'; problem: string }

type Scope = Pick<Options, 'database' | 'tenantId' | 'now'>

class ClaimLost extends Error {}

const lockClaim = async (db: Db, tenantId: string, order: Order) => {
  const row = await db
    .selectFrom('pool_orders')
    .select('id')
    .where(isClaimedBy(tenantId, order))
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new ClaimLost('Another worker has taken this order over.')
}

/** A command of ours that is still in flight belongs to a dead worker, because this worker has claimed the order. */
const settleAbandonedCommand = (db: Db, tenantId: string, { service_line_id }: Order, now: Date) =>
  db
    .updateTable('commands')
    .set({ state: 'not confirmed', settled_at: now })
    .where('tenant_id', '=', tenantId)
    .where('service_line_id', '=', service_line_id)
    .where('kind', '=', 'opt_in')
    .where('requested_by', '=', POOL_WORKER)
    .where('state', '=', 'asked')
    .execute()

/** Sends it as a command of the line, so that the line's page shows its receipt like those of users' commands. */
const send = async ({ database, tenantId, now }: Scope, client: Client, order: Order): Promise<Outcome> => {
  const { service_line_number, service_line_id, desired } = order
  const id = await database.transaction({ tenantId }, async (db) => {
    await lockClaim(db, tenantId, order)
    await settleAbandonedCommand(db, tenantId, order, now())
    return insertCommand(db, {
      tenantId,
      lineId: service_line_id,
      terminalId: null,
      kind: 'opt_in',
      desired,
      requestedBy: POOL_WORKER,
      userId: null,
      idempotencyKey: undefined,
      requestedAt: now(),
      before: { opt_in: desired === 'opt in' ? 'opt out' : 'opt in' },
    })
  })
  if (id === undefined)
    return {
      state: 'asked',
      dueAt: later(now(), FIRST_RETRY_MS),
      problem: 'Another change of this line is in progress.',
    }
  const change = (to: Parameters<typeof updateCommand>[2]) =>
    database.transaction({ tenantId }, (db) => updateCommand(db, { tenantId, id }, to))
  try {
    await (desired === 'opt in' ? client.optIn(service_line_number) : client.optOut(service_line_number))
  } catch (error) {
    const failure = toVendorFailure(error)
    await change({ ...failure, ...(failure.state === 'refused' && { settledAt: now() }) })
    throw error
  }
  await change({ state: 'accepted', acceptedAt: now() })
  return { state: 'accepted', dueAt: later(now(), 1_000) }
}

const attempt = async (scope: Scope, client: Client, order: Order): Promise<Outcome> => {
  const { service_line_number, desired, previousState, accepted_at, attempts } = order
  const line = await client.getServiceLine(service_line_number)
  if ((line.optInProductId !== null) === (desired === 'opt in')) return { state: 'seen', line }
  if (previousState !== 'accepted') return send(scope, client, order)
  const now = scope.now()
  if (accepted_at && now.getTime() - accepted_at.getTime() < CONFIRM_WITHIN_MS && attempts < MAX_ATTEMPTS)
    return { state: 'accepted', dueAt: later(now, CHECK_AGAIN_MS) }
  return { state: 'not confirmed', problem: 'The vendor accepted this but the line has not changed.' }
}

const failed = ({ previousState, attempts }: Order, error: unknown, now: Date): Outcome => {
  if (!(error instanceof StarlinkError)) throw error
  if (error.failure === 'rejected' || attempts >= MAX_ATTEMPTS)
    return { state: 'refused', problem: error.messages.join(' ') || error.message }
  const dueAt = later(now, Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(attempts - 1, 10)))
  // If the vendor may have executed it, it stays 'sending'. The next attempt checks with the vendor first in every state.
  const back = previousState === 'accepted' ? 'accepted' : error.fate === 'refused' ? 'asked' : 'sending'
  return { state: back, dueAt, problem: error.message }
}

const record = async (db: Db, tenantId: string, order: Order, outcome: Outcome, now: Date) => {
  const problem = 'problem' in outcome ? (outcome.problem ?? null) : null
  await lockClaim(db, tenantId, order)
  await db
    .updateTable('pool_orders')
    .set({
      state: outcome.state,
      problem,
      ...('dueAt' in outcome && { due_at: outcome.dueAt }),
      ...(outcome.state === 'accepted' && order.accepted_at === null && { accepted_at: now }),
    })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', order.id)
    .execute()
  if (outcome.state === 'seen') {
    await storeLineState(db, tenantId, order.service_line_id, outcome.line)
    await notifyLinesChanged(db, tenantId, [order.service_line_id])
  }
  if (outcome.state !== order.previousState && (outcome.state === 'accepted' || outcome.state === 'refused'))
    await recordAudit(db, tenantId, now, {
      performer: POOL_WORKER,
      action: outcome.state === 'refused' ? 'service_line.opt_in.refused' : 'service_line.opt_in',
      performee: order.nickname,
      details: { desired: order.desired, pool: order.pool_name, problem },
    })
}

const deliver = async ({ getClient, ...scope }: Omit<Options, 'signal' | 'log'>, order: Order) => {
  const { database, tenantId, now } = scope
  const outcome = await getClient(order.credential_id)
    .then((client) => attempt(scope, client, order))
    .catch((error: unknown) => failed(order, error, now()))
  await database.transaction({ tenantId }, (db) => record(db, tenantId, order, outcome, now()))
}

/** Sends due orders to the vendor, and checks those that it accepted. Returns when the next one is due. */
export const deliverOrders = async ({
  database,
  tenantId,
  getClient,
  now,
  signal,
  log,
}: Options): Promise<Date | undefined> => {
  for (let count = 0; count < ORDERS_PER_TURN && !signal.aborted; count++) {
    const order = await database.transaction({ tenantId }, (db) => claimOrder(db, tenantId, now()))
    if (!order) break
    await deliver({ database, tenantId, getClient, now }, order).catch((error: unknown) => {
      // The newer attempt records the outcome of the order.
      if (error instanceof ClaimLost) return
      const line = order.service_line_number
      log.error(
        { err: error, tenantId, line, orderId: order.id },
        'An order failed; it is tried again after its lease.',
      )
    })
  }
  const next = await database.transaction({ tenantId }, (db) =>
    db
      .selectFrom('pool_orders')
      .select(({ fn }) => fn.min(readDueTime(sql`due_at`, now(), LONGEST_WAIT_MS)).as('at'))
      .where('tenant_id', '=', tenantId)
      .where('state', 'in', ['asked', 'sending', 'accepted'])
      .executeTakeFirst(),
  )
  return next?.at ?? undefined
}
