import { sql } from 'kysely'
import type { availability } from '#contract/availability.ts'
import { notFound } from '#contract/errors.ts'
import type { RouteInput } from '#contract/route.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../platform/context.ts'
import type { Handlers } from '../platform/http/mount.ts'
import { downloadAvailability } from './download.ts'
import { listFleetSpans } from './list-fleet-spans.ts'
import { listSpans } from './list-spans.ts'
import { createMonthHandler } from './month.ts'
import { summarize } from './summarize.ts'

const setTarget = (ctx: Context, { group, percent }: RouteInput<typeof availability.setTarget>) =>
  ctx.transaction(async (db) => {
    const { tenantId, user, services } = ctx
    const { rows } = await sql<{ before: number | null }>`
      select (select percent from availability_targets where tenant_id = ${tenantId} and group_name = ${group}) as before
      from service_lines where tenant_id = ${tenantId} and group_name = ${group} limit 1`.execute(db)
    if (!rows[0]) throw notFound('No terminal belongs to this group.')
    const key = { tenant_id: tenantId, group_name: group }
    if (percent === null)
      await db
        .deleteFrom('availability_targets')
        .where((row) => row.and(key))
        .execute()
    else
      await db
        .insertInto('availability_targets')
        .values({ ...key, percent })
        .onConflict((clash) => clash.columns(['tenant_id', 'group_name']).doUpdateSet({ percent }))
        .execute()
    await recordAudit(db, tenantId, services.now(), {
      performer: user.email,
      action: 'availability.target',
      performee: group,
      details: { before: { percent: rows[0].before }, after: { percent } },
    })
    return { message: percent === null ? 'The target is removed.' : 'The target is set.' }
  })

export const createAvailabilityHandlers = (): Handlers<typeof availability> => ({
  summary: summarize,
  terminal: listSpans,
  spans: listFleetSpans,
  download: downloadAvailability,
  month: createMonthHandler(),
  setTarget,
})
