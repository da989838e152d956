import { type BulkChange, maxShownLines, type PreviewLine } from '#contract/bulk.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { notYours } from '../service-lines/get-line.ts'
import { findValues, getDesired, getField, requirePermission } from './kinds.ts'
import type { Chosen } from './line-rows.ts'
import { createNaming, readLines } from './line-values.ts'

/** Values belong to lines, so each line counts once. */
const readChosen = ({ terminals, change }: BulkChange): Chosen[] => {
  const chosen = terminals.map((id): Chosen => {
    const [lineId, place] = id.split('.')
    return { lineId: Number(lineId), place: change.kind === 'reboot' ? Number(place ?? 1) : 1 }
  })
  return [...new Map(chosen.map((each) => [`${each.lineId}.${each.place}`, each])).values()]
}

type Effect = 'failed' | 'changing' | 'unchanged'
const effects: Effect[] = ['failed', 'changing', 'unchanged']

/** The effect of a change on each line. Lines that the user may not see are rejected. */
export const inspect = async (db: Db, { tenantId, user }: Context, input: BulkChange) => {
  const chosen = readChosen(input)
  const { change } = input
  const lineIds = chosen.map(({ lineId }) => lineId)
  const lines = await readLines(db, tenantId, lineIds)
  const values = findValues({ kind: change.kind, field: getField(change) })
  const current = await values?.read(db, { tenantId, userId: user.userId }, lineIds)
  const after = getDesired(change)
  if (after !== null) await values?.requireSeen?.(db, tenantId, after)
  const show = await createNaming(db, tenantId, values, [after, ...(current?.values() ?? [])])
  const inspected = chosen.map(({ lineId, place }): { effect: Effect; line: PreviewLine } => {
    const line = lines.get(lineId)
    if (!line) throw notYours()
    const before = current?.get(lineId) ?? null
    const isSame = values !== undefined && before === after
    const missing = line.terminals < place ? 'This line has no such terminal.' : null
    const problem = values ? (!isSame && values.findProblem?.({ before, desired: after })) || null : missing
    return {
      effect: problem !== null ? 'failed' : isSame ? 'unchanged' : 'changing',
      line: { name: line.name, before: show(before), after: show(after), problem },
    }
  })
  return { chosen, inspected }
}

export const previewChange = (ctx: Context, input: BulkChange) => {
  requirePermission(input.change.kind, ctx.permissions)
  return ctx.transaction(async (db) => {
    const { inspected } = await inspect(db, ctx, input)
    const byEffect = effects.map((effect) => inspected.filter((each) => each.effect === effect))
    const [failed = 0, changing = 0, unchanged = 0] = byEffect.map(({ length }) => length)
    return {
      counts: { changing, unchanged, failed },
      lines: byEffect
        .flat()
        .slice(0, maxShownLines)
        .map(({ line }) => line),
    }
  })
}
