import type { BulkProgress } from '#contract/bulk.ts'
import { notFound } from '#contract/errors.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { findBulk, listBulks, type StoredBulk } from './change-rows.ts'
import { findValues } from './kinds.ts'
import { countLines, listLines } from './line-rows.ts'
import { createNaming } from './line-values.ts'

/** A change that the caller started. */
export const getOwn = async (db: Db, { tenantId, user }: Context, id: string, lock = false) => {
  const found = await findBulk(db, tenantId, id, { userId: user.userId, lock })
  if (!found) throw notFound('There is no such change.')
  return found
}

/** A reboot cannot be undone. */
export const canUndo = ({ kind, state }: StoredBulk, { done }: BulkProgress['counts']) =>
  kind !== 'reboot' && state !== 'running' && done > 0

const toProgress = async (db: Db, tenantId: string, stored: StoredBulk): Promise<BulkProgress> => {
  const { id, kind, state, problem, startedAt } = stored
  const counts = await countLines(db, tenantId, id)
  return {
    id,
    kind,
    isUndo: stored.undoOf !== null,
    state,
    problem,
    startedAt,
    counts,
    lines: [],
    canUndo: canUndo(stored, counts),
  }
}

export const listProgress = (ctx: Context) =>
  ctx.transaction(async (db) => {
    const changes: BulkProgress[] = []
    for (const stored of await listBulks(db, ctx.tenantId, ctx.user.userId))
      changes.push(await toProgress(db, ctx.tenantId, stored))
    return { changes }
  })

export const getProgress = (ctx: Context, { id }: { id: string }) =>
  ctx.transaction(async (db) => {
    const { tenantId, permissions } = ctx
    const stored = await getOwn(db, ctx, id)
    const lines = await listLines(db, tenantId, id)
    const values = lines.flatMap(({ before, after }) => [before, after])
    // Changes are retained for longer than the permission may last.
    const seesValues = stored.kind !== 'metadata' || permissions.metadata !== 'cannot_see'
    const show = seesValues ? await createNaming(db, tenantId, findValues(stored), values) : () => null
    return {
      ...(await toProgress(db, tenantId, stored)),
      lines: lines.map((line) => ({ ...line, before: show(line.before), after: show(line.after) })),
    }
  })
