import type { commands } from '#contract/commands.ts'
import type { RouteInput } from '#contract/route.ts'
import { recordAudit } from '../audit/record.ts'
import { notifyLinesChanged } from '../fleet/notify.ts'
import type { Context } from '../platform/context.ts'
import { lockLine, notYours } from '../service-lines/get-line.ts'

/** The customer's own name for a line; null removes it. */
export const renameLine = (context: Context, { nickname, sl, customname }: RouteInput<typeof commands.rename>) => {
  const { services, tenantId, user } = context
  return context.transaction(async (db, client) => {
    const line = await lockLine(client, tenantId, nickname)
    if (sl !== undefined && sl !== line.service_line_number) throw notYours()
    if (line.custom_name === customname) return { customname }
    await db
      .updateTable('service_lines')
      .set({ custom_name: customname })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', line.id)
      .execute()
    await recordAudit(db, tenantId, services.now(), {
      performer: user.email,
      action: 'service_line.rename',
      performee: line.nickname,
      details: { before: line.custom_name, after: customname },
    })
    await notifyLinesChanged(db, tenantId, [line.id])
    return { customname }
  })
}
