import { forbidden, invalid } from '#contract/errors.ts'
import type { RouteInput } from '#contract/route.ts'
import type { serviceLines } from '#contract/service-lines.ts'
import { recordAudit } from '../audit/record.ts'
import { notifyLinesChanged } from '../fleet/notify.ts'
import type { Context } from '../platform/context.ts'
import { lockLine } from './get-line.ts'

/** Changes one metadata field. Requires write permission. */
export const setMetadata = (ctx: Context, input: RouteInput<typeof serviceLines.setMetadata>) =>
  ctx.transaction(async (db, client) => {
    if (ctx.permissions.metadata !== 'read_write') throw forbidden('You cannot change metadata.')
    const line = await lockLine(client, ctx.tenantId, input.nickname)
    const { field, value, sl } = input
    if (sl !== undefined && sl !== line.service_line_number)
      throw invalid('sl: this service line is not the one in the path.')
    if (line[field] === value) return { value }
    await db
      .updateTable('service_lines')
      .set({ [field]: value })
      .where('tenant_id', '=', ctx.tenantId)
      .where('id', '=', line.id)
      .execute()
    await recordAudit(db, ctx.tenantId, ctx.services.now(), {
      performer: ctx.user.email,
      action: 'service_line.metadata',
      performee: line.service_line_number,
      details: { before: { [field]: line[field] }, after: { [field]: value } },
    })
    await notifyLinesChanged(db, ctx.tenantId, [line.id])
    return { value }
  })
