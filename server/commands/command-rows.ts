import type { CommandKind, CommandState } from '#contract/command-receipt.ts'
import { appendEvents } from '../platform/append-events.ts'
import type { Db } from '../platform/database/database.ts'
import type { Json } from '../platform/database/schema.ts'
import { publishEvents } from '../platform/publish-events.ts'
import { enqueue } from '../platform/worker/enqueue.ts'

export interface NewCommand {
  tenantId: string
  lineId: number
  terminalId: number | null
  kind: CommandKind
  desired: string | null
  requestedBy: string
  /** Null if no user requested it. */
  userId: number | null
  idempotencyKey: string | undefined
  requestedAt: Date
  before: Json
}

/** The id of the new command; undefined while the same command is in flight. */
export const insertCommand = async (db: Db, command: NewCommand): Promise<number | undefined> => {
  const row = await db
    .insertInto('commands')
    .values({
      tenant_id: command.tenantId,
      service_line_id: command.lineId,
      terminal_id: command.terminalId,
      kind: command.kind,
      desired: command.desired,
      requested_by: command.requestedBy,
      user_id: command.userId,
      idempotency_key: command.idempotencyKey ?? null,
      requested_at: command.requestedAt,
      before: JSON.stringify(command.before),
    })
    .onConflict((clash) => clash.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row) return undefined
  await enqueue(db, 'commands', command.tenantId)
  const subject = { lineId: command.lineId, commandId: row.id }
  await appendEvents(db, command.tenantId, [{ type: 'command.requested', at: command.requestedAt, subject }])
  return row.id
}

export interface StoredCommand {
  lineId: number
  terminalId: number | null
  kind: CommandKind
  desired: string | null
  state: CommandState
  problem: string | null
}

/** The earlier command of this user with this key. */
export const findCommandByKey = async (
  db: Db,
  { tenantId, userId, key }: { tenantId: string; userId: number; key: string },
): Promise<StoredCommand | undefined> => {
  const row = await db
    .selectFrom('commands')
    .select(['service_line_id', 'terminal_id', 'kind', 'desired', 'state', 'problem'])
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('idempotency_key', '=', key)
    .executeTakeFirst()
  return (
    row && {
      lineId: row.service_line_id,
      terminalId: row.terminal_id,
      kind: row.kind as CommandKind,
      desired: row.desired,
      state: row.state as CommandState,
      problem: row.problem,
    }
  )
}

/** Whether it is still unknown if a command of this kind reached the vendor. */
export const isInDoubt = async (db: Db, tenantId: string, lineId: number, kind: CommandKind): Promise<boolean> => {
  const row = await db
    .selectFrom('commands')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('service_line_id', '=', lineId)
    .where('kind', '=', kind)
    .where('state', '=', 'unknown')
    .where('settled_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

interface Change {
  state: CommandState
  acceptedAt?: Date
  settledAt?: Date
  problem?: string
  /** A refused command may be sent again with the same key. */
  releasesKey?: boolean
}

/** Updates a command unless it has settled. Returns whether it did. */
export const updateCommand = async (
  db: Db,
  { tenantId, id }: { tenantId: string; id: number },
  { state, acceptedAt, settledAt, problem, releasesKey }: Change,
): Promise<boolean> => {
  const updated = await db
    .updateTable('commands')
    .set({
      state,
      ...(acceptedAt && { accepted_at: acceptedAt }),
      ...(settledAt && { settled_at: settledAt }),
      ...(problem !== undefined && { problem }),
      ...(releasesKey && { idempotency_key: null }),
    })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('settled_at', 'is', null)
    .returning('service_line_id')
    .executeTakeFirst()
  if (updated && settledAt)
    await publishEvents(
      db,
      tenantId,
      [{ type: 'command.finished', at: settledAt, subject: { lineId: updated.service_line_id, commandId: id } }],
      settledAt,
    )
  return updated !== undefined
}
