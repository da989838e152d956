import type pg from 'pg'
import type { AuditAction } from '#contract/audit-sentences.ts'
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
import { findCredential, type VendorCredential } from '../vendor/credentials.ts'
import { findCommandByKey, insertCommand, isInDoubt, updateCommand } from './command-rows.ts'
import { findLineState, type LineState, storeLineState } from './line-state.ts'
import { createCommandClient, type ReservedRequests, reserveRequests } from './vendor-client.ts'
import { toApiError, toVendorFailure, UNCLEAR, type VendorFailure } from './vendor-failure.ts'

/** The origin of a command: a request, or background work that checks the sender's rights in each transaction. */
export interface CommandContext extends Pick<Context, 'tenantId' | 'idempotencyKey' | 'unguarded'> {
  services: Pick<Context['services'], 'secrets' | 'now'>
  user: Pick<Context['user'], 'userId' | 'email'>
  transaction: <T>(work: (db: Db, client: pg.PoolClient) => Promise<T>) => Promise<T>
}

/** What the vendor should do with a line, or with one of its terminals. */
export interface CommandRequest {
  kind: CommandKind
  desired: string | null
  line: Line
  terminal: LineTerminal | null
  /** The state before the command, to detect a change. */
  before: Json
  send: (client: StarlinkClient) => Promise<unknown>
  /** Whether the outcome can be read from the vendor. */
  readsBack: boolean
  /** Whether its effect cannot be observed, so that acceptance is the final state. */
  isFinal?: boolean
  /** Stores what changes once the vendor has accepted. */
  store?: (db: Db) => Promise<void>
}

const descriptions: Record<CommandKind, string> = {
  reboot: 'A reboot of this terminal',
  ip_policy: 'A change of the IP policy',
  opt_in: 'A change of the automatic top up',
  snow_melt: 'A change of the snow melt mode',
}

const actions = {
  reboot: 'terminal.reboot',
  ip_policy: 'service_line.ip_policy',
  opt_in: 'service_line.opt_in',
  snow_melt: 'terminal.snow_melt',
} as const satisfies Record<CommandKind, AuditAction>

/**
 * Sends a command to the vendor once. The command is committed before the call, so a call whose outcome is unknown is
 * always recorded as such and is never retried automatically.
 */
export const sendCommand = async (
  context: CommandContext,
  prepare: (db: Db, client: pg.PoolClient) => Promise<CommandRequest>,
): Promise<void> => {
  const started = await context.transaction(async (db, client) => {
    const request = await prepare(db, client)
    return (await isRepeated(db, context, request)) ? undefined : startCommand(db, context, request)
  })
  if (!started) return
  const { credential, reserved } = started
  const client = createCommandClient({ ...context.services, database: context.unguarded, credential, reserved })
  const failure = await started.request.send(client).then(() => undefined, toVendorFailure)
  const known = !failure && started.request.readsBack ? await readBack(client, started.request) : undefined
  await recordOutcome(context, started, failure, known)
  if (failure) throw toApiError(failure)
}

const readBack = (client: StarlinkClient, { line }: CommandRequest) => findLineState(client, line.service_line_number)

/** A command that was already sent with the same key has its outcome. */
const isRepeated = async (
  db: Db,
  { tenantId, user, idempotencyKey }: CommandContext,
  request: CommandRequest,
): Promise<boolean> => {
  if (idempotencyKey === undefined) return false
  const first = await findCommandByKey(db, { tenantId, userId: user.userId, key: idempotencyKey })
  if (!first) return false
  const isSame =
    first.lineId === request.line.id &&
    first.terminalId === (request.terminal?.id ?? null) &&
    first.kind === request.kind &&
    first.desired === request.desired
  if (!isSame) throw conflict('This Idempotency-Key was used for another request. Please send a new one.')
  if (first.state === 'asked') throw inProgress(request)
  if (first.state === 'unknown') throw toApiError({ state: 'unknown', problem: first.problem ?? UNCLEAR })
  return true
}

const inProgress = ({ kind }: CommandRequest) =>
  conflict(`${descriptions[kind]} is under way already. Please wait for it.`)

interface StartedCommand {
  id: number
  request: CommandRequest
  credential: VendorCredential
  reserved: ReservedRequests
}

const startCommand = async (db: Db, context: CommandContext, request: CommandRequest): Promise<StartedCommand> => {
  const { tenantId, user, services, idempotencyKey } = context
  const { kind, desired, line, terminal, before } = request
  // A command that costs money waits until the outcome of the previous one is known.
  if (kind === 'opt_in' && (await isInDoubt(db, tenantId, line.id, kind)))
    throw conflict(`${descriptions[kind]} may or may not have reached Starlink. Please wait until that is known.`)
  const requestedAt = services.now()
  const id = await insertCommand(db, {
    tenantId,
    lineId: line.id,
    terminalId: terminal?.id ?? null,
    kind,
    desired,
    requestedBy: user.email,
    userId: user.userId,
    idempotencyKey,
    requestedAt,
    before,
  })
  if (id === undefined) throw inProgress(request)
  await record(db, context, request, actions[kind], desired === null ? {} : { desired })
  const credentialId = terminal?.credential_id ?? line.credential_id
  const credential = await findCredential(db, services.secrets, tenantId, credentialId)
  if (!credential) throw new Error(`Line ${line.id} has no credential.`)
  const reserved = await reserveRequests(db, credential, request.readsBack ? 2 : 1, requestedAt)
  return { id, request, credential, reserved }
}

const recordOutcome = async (
  context: CommandContext,
  { id, request }: StartedCommand,
  failure: VendorFailure | undefined,
  known: LineState | undefined,
) => {
  const { services, tenantId } = context
  const at = services.now()
  // What the vendor did is recorded even if the user's rights have changed meanwhile.
  await context.unguarded.transaction({ tenantId }, async (db) => {
    if (failure?.state === 'refused')
      await updateCommand(db, { tenantId, id }, { ...failure, settledAt: at, releasesKey: true })
    else if (failure) await updateCommand(db, { tenantId, id }, failure)
    else {
      await updateCommand(
        db,
        { tenantId, id },
        { state: 'accepted', acceptedAt: at, ...(request.isFinal && { settledAt: at }) },
      )
      if (known) await storeLineState(db, tenantId, request.line.id, known)
      await request.store?.(db)
    }
    if (failure)
      await record(db, context, request, `${actions[request.kind]}.${failure.state}`, { problem: failure.problem })
    await notifyLinesChanged(db, tenantId, [request.line.id])
    await enqueue(db, 'commands', tenantId)
  })
}

const record = (
  db: Db,
  { services, tenantId, user }: CommandContext,
  request: CommandRequest,
  action: AuditAction,
  details: Json,
) =>
  recordAudit(db, tenantId, services.now(), {
    performer: user.email,
    action,
    performee: request.terminal?.kit_serial ?? request.terminal?.device_id ?? request.line.nickname,
    details,
  })
