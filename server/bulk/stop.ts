import { conflict } from '#contract/errors.ts'
import { formatCounted } from '#contract/format/numbers.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../platform/context.ts'
import { endBulk } from './end-bulk.ts'
import { countLines } from './line-rows.ts'
import { getOwn } from './progress.ts'

/** Stops a change before its next step. */
export const stopChange = (ctx: Context, { id }: { id: string }) =>
  ctx.transaction(async (db) => {
    const { tenantId, user, services } = ctx
    const { state } = await getOwn(db, ctx, id, true)
    if (state !== 'running') throw conflict('This change has ended already.')
    await endBulk(db, tenantId, id, services.now(), { state: 'stopped', problem: 'You have stopped it.' })
    const { waiting } = await countLines(db, tenantId, id)
    await recordAudit(db, tenantId, services.now(), {
      performer: user.email,
      action: 'bulk.stop',
      performee: formatCounted(waiting, 'terminal'),
      details: { bulk: id },
    })
    return { message: 'The change is stopped.' }
  })
