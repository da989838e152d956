import { randomUUID } from 'node:crypto'
import type { BulkChange } from '#contract/bulk.ts'
import { conflict } from '#contract/errors.ts'
import { formatCounted } from '#contract/format/numbers.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { runOnce } from '../platform/http/idempotency.ts'
import { enqueue } from '../platform/worker/enqueue.ts'
import { countRunning, insertBulk, type StoredBulk } from './change-rows.ts'
import { getDesired, getField, requirePermission } from './kinds.ts'
import { countLines, insertLines, insertUndoLines } from './line-rows.ts'
import { inspect } from './preview.ts'
import { canUndo, getOwn } from './progress.ts'

const MAX_RUNNING = 3

/** Adds a change of the caller, without lines. */
const addBulk = async (db: Db, ctx: Context, entered: Pick<StoredBulk, 'kind' | 'field' | 'undoOf'>) => {
  const { tenantId, user, services, scope } = ctx
  if ((await countRunning(db, tenantId, user.userId)) >= MAX_RUNNING)
    throw conflict(`${MAX_RUNNING} changes of yours are running already. Please wait until one has ended.`)
  const id = randomUUID()
  await insertBulk(db, tenantId, {
    id,
    userId: user.userId,
    sessionId: user.sessionId ?? null,
    tokenId: user.token?.id ?? null,
    group: scope.group ?? null,
    startedAt: services.now(),
    ...entered,
  })
  await enqueue(db, 'bulk', tenantId, { subject: id })
  return id
}

export const startChange = (ctx: Context, input: BulkChange) => {
  const { change } = input
  requirePermission(change.kind, ctx.permissions)
  const { tenantId, user, services } = ctx
  const start = async (db: Db) => {
    const { chosen } = await inspect(db, ctx, input)
    const id = await addBulk(db, ctx, { kind: change.kind, field: getField(change), undoOf: null })
    await insertLines(db, tenantId, id, chosen, getDesired(change))
    await recordAudit(db, tenantId, services.now(), {
      performer: user.email,
      action: 'bulk.start',
      performee: formatCounted(chosen.length, 'terminal'),
      details: { bulk: id, ...change },
    })
    return { id }
  }
  // Changes of one user are serialized, so that they can be counted.
  return ctx.transaction((db) => runOnce(db, ctx, { call: 'bulk.start', input }, () => start(db)), 'self')
}

export const undoChange = (ctx: Context, { id: undoOf }: { id: string }) =>
  ctx.transaction(async (db) => {
    const { tenantId, user, services } = ctx
    const stored = await getOwn(db, ctx, undoOf, true)
    const { kind, field } = stored
    requirePermission(kind, ctx.permissions)
    const counts = await countLines(db, tenantId, undoOf)
    if (!canUndo(stored, counts)) throw conflict('There is nothing to undo.')
    const id = await addBulk(db, ctx, { kind, field, undoOf })
    await insertUndoLines(db, tenantId, id, undoOf)
    await recordAudit(db, tenantId, services.now(), {
      performer: user.email,
      action: 'bulk.undo',
      performee: formatCounted(counts.done, 'terminal'),
      details: { bulk: id, undoOf },
    })
    return { id }
  }, 'self')
