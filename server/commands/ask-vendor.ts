import type pg from 'pg'
import type { CommandKind } from '#contract/command-receipt.ts'
import { conflict } from '#contract/errors.ts'
import type { StarlinkClient } from '#starlink/client.ts'
import { recordAudit } from '../audit/record.ts'
import { notifyLinesChanged } from '../fleet/notify.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import type { Json } from '../platform/database/schema.ts'
import { enqueue } from '../platform/worker/enqueue.ts'
import type { Line, LineTerminal } from '../service-lines/get-line.ts'
import { listCredentials, type VendorCredential } from '../vendor/credentials.ts'
import { changeCommand, findByKey, insertCommand, isInDoubt } from './command-rows.ts'
import { findLineState, type LineState, storeLineState } from './line-state.ts'
import { clientForCommand, type HeldRequests, holdRequests } from './vendor-client.ts'
import { errorOf, failureOf, UNCLEAR, type VendorFailure } from './vendor-failure.ts'

/** What the vendor shall do with a line, or with one terminal of it. */
export interface Order {
  kind: CommandKind
  wish: string | null
  line: Line
  terminal: LineTerminal | null
  /** What holds now, to tell a change by. */
  before: Json
  send: (client: StarlinkClient) => Promise<unknown>
  /** Of these the vendor can be asked what came of it. */
  readsBack: boolean
  /** Nothing will ever show whether it took effect. */
  isFinal?: boolean
  /** What we know better once the vendor has accepted. */
  store?: (db: Db) => Promise<void>
}

const doing: Record<CommandKind, string> = {
  reboot: 'A reboot of this terminal',
  ip_policy: 'A change of the IP policy',
  opt_in: 'A change of the automatic top up',
  snow_melt: 'A change of the snow melt mode',
}

const actions: Record<CommandKind, string> = {
  reboot: 'terminal.reboot',
  ip_policy: 'service_line.ip_policy',
  opt_in: 'service_line.opt_in',
  snow_melt: 'terminal.snow_melt',
}

/**
 * Asks the vendor once. That it is being asked is committed first: whatever happens then, a call whose fate is unknown is
 * known to be so and is never sent again by itself.
 */
export const askVendor = async (
  context: Context,
  prepare: (db: Db, client: pg.PoolClient) => Promise<Order>,
): Promise<void> => {
  const begun = await context.services.database.transaction(context.scope, async (db, client) => {
    const order = await prepare(db, client)
    return (await isRepeated(db, context, order)) ? undefined : begin(db, context, order)
  })
  if (!begun) return
  const { credential, held } = begun
  const client = clientForCommand({ ...context.services, credential, held })
  const failure = await begun.order.send(client).then(() => undefined, failureOf)
  const known = !failure && begun.order.readsBack ? await readBack(client, begun.order) : undefined
  await conclude(context, begun, failure, known)
  if (failure) throw errorOf(failure)
}

const readBack = (client: StarlinkClient, { line }: Order) => findLineState(client, line.service_line_number)

/** A call that was sent before, under the same key, has its outcome already. */
const isRepeated = async (db: Db, { tenantId, user, idempotencyKey }: Context, order: Order): Promise<boolean> => {
  if (idempotencyKey === undefined) return false
  const first = await findByKey(db, { tenantId, userId: user.userId, key: idempotencyKey })
  if (!first) return false
  const isSame =
    first.lineId === order.line.id &&
    first.terminalId === (order.terminal?.id ?? null) &&
    first.kind === order.kind &&
    first.wish === order.wish
  if (!isSame) throw conflict('This Idempotency-Key was used for another request. Please send a new one.')
  if (first.state === 'asked') throw underWay(order)
  if (first.state === 'unknown') throw errorOf({ state: 'unknown', problem: first.problem ?? UNCLEAR })
  return true
}

const underWay = ({ kind }: Order) => conflict(`${doing[kind]} is under way already. Please wait for it.`)

interface Begun {
  id: number
  order: Order
  credential: VendorCredential
  held: HeldRequests
}

const begin = async (db: Db, context: Context, order: Order): Promise<Begun> => {
  const { tenantId, user, services, idempotencyKey } = context
  const { kind, wish, line, terminal, before } = order
  // What costs money waits until it is known what came of the last one.
  if (kind === 'opt_in' && (await isInDoubt(db, tenantId, line.id, kind)))
    throw conflict(`${doing[kind]} may or may not have reached Starlink. Please wait until that is known.`)
  const askedAt = services.now()
  const id = await insertCommand(db, {
    tenantId,
    lineId: line.id,
    terminalId: terminal?.id ?? null,
    kind,
    wish,
    askedBy: user.email,
    userId: user.userId,
    idempotencyKey,
    askedAt,
    before,
  })
  if (id === undefined) throw underWay(order)
  await record(db, context, order, actions[kind], wish === null ? {} : { wish })
  const credentialId = terminal?.credential_id ?? line.credential_id
  const credential = (await listCredentials(db, services.secrets, tenantId)).find((each) => each.id === credentialId)
  if (!credential) throw new Error(`Line ${line.id} has no credential.`)
  const held = await holdRequests(db, credential, order.readsBack ? 2 : 1, askedAt)
  return { id, order, credential, held }
}

const conclude = async (
  context: Context,
  { id, order }: Begun,
  failure: VendorFailure | undefined,
  known: LineState | undefined,
) => {
  const { services, tenantId } = context
  const at = services.now()
  await services.database.transaction({ tenantId }, async (db) => {
    if (failure?.state === 'refused')
      await changeCommand(db, { tenantId, id }, { ...failure, settledAt: at, freesKey: true })
    else if (failure) await changeCommand(db, { tenantId, id }, failure)
    else {
      await changeCommand(
        db,
        { tenantId, id },
        { state: 'accepted', acceptedAt: at, ...(order.isFinal && { settledAt: at }) },
      )
      if (known) await storeLineState(db, tenantId, order.line.id, known)
      await order.store?.(db)
    }
    if (failure)
      await record(db, context, order, `${actions[order.kind]}.${failure.state}`, { problem: failure.problem })
    await notifyLinesChanged(db, tenantId, [order.line.id])
    await enqueue(db, 'commands', tenantId)
  })
}

const record = (db: Db, { services, tenantId, user }: Context, order: Order, action: string, details: Json) =>
  recordAudit(db, tenantId, services.now(), {
    performer: user.email,
    action,
    performee: order.terminal?.kit_serial ?? order.terminal?.device_id ?? order.line.nickname,
    details,
  })
