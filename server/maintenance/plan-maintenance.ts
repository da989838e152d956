import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type pg from 'pg'
import { conflict, invalid, notFound } from '#contract/errors.ts'
import type { PlannedMaintenance } from '#contract/maintenance.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import type { JsonObject } from '../platform/database/schema.ts'
import { getTimeZone } from '../platform/database/time-zone.ts'
import { enqueue } from '../platform/worker/enqueue.ts'
import { getLine } from '../service-lines/get-line.ts'
import { findShownOccurrence, listOccurrences } from './occurrences.ts'
import { insertWindow, listWindows, MAX_WINDOWS, type StoredWindow } from './window-rows.ts'

type Target = Pick<StoredWindow, 'lineId' | 'group' | 'area'>

const resolveTarget = async (
  db: Db,
  client: pg.PoolClient,
  tenantId: string,
  target: PlannedMaintenance['target'],
): Promise<Target> => {
  const nothing = { lineId: null, group: null, area: null }
  if (target.kind === 'area') return { ...nothing, area: target.area }
  if (target.kind === 'terminal') return { ...nothing, lineId: (await getLine(client, tenantId, target.terminal)).id }
  const line = await db
    .selectFrom('service_lines')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('group_name', '=', target.group)
    .limit(1)
    .executeTakeFirst()
  if (!line) throw notFound('No terminal belongs to this group.')
  return { ...nothing, group: target.group }
}

/** Triggers a reevaluation of current losses and notifications. */
const requestReevaluation = async (db: Db, tenantId: string) => {
  await enqueue(db, 'incidents', tenantId)
  await enqueue(db, 'notifications', tenantId)
}

const describe = ({ schedule, group, area, timeZone }: Pick<StoredWindow, 'schedule' | 'timeZone'> & Target) =>
  ({ ...(group !== null && { group }), ...(area !== null && { area }), ...schedule, timeZone }) as unknown as JsonObject

const enter = async (
  db: Db,
  client: pg.PoolClient,
  { tenantId, services }: Context,
  { name, target, schedule }: PlannedMaintenance,
) => {
  const now = services.now()
  const timeZone = await getTimeZone(db, tenantId)
  const time = findShownOccurrence({ schedule, timeZone, enteredAt: now, endedAt: null }, now.getTime())
  if (!time || time.toMs <= now.getTime()) throw invalid('This time has passed.')
  const resolved = await resolveTarget(db, client, tenantId, target)
  const window = { id: randomUUID(), name, schedule, timeZone, enteredAt: now, ...resolved }
  await insertWindow(db, tenantId, window)
  return window
}

export const planMaintenance = (ctx: Context, planned: PlannedMaintenance) =>
  ctx.transaction(async (db, client) => {
    const { tenantId, user, services } = ctx
    const present = await listWindows(db, tenantId, { since: services.now() })
    if (present.length >= MAX_WINDOWS)
      throw conflict(`There are ${MAX_WINDOWS} windows already. Please end some first.`)
    const window = await enter(db, client, ctx, planned)
    await recordAudit(db, tenantId, services.now(), {
      performer: user.email,
      action: 'maintenance.plan',
      performee: window.name,
      details: { window: window.id, after: describe(window) },
    })
    await requestReevaluation(db, tenantId)
    return { id: window.id }
  })

const getWindow = async (db: Db, { tenantId, services }: Context, id: string) => {
  // Locked before it is read: another administrator may be changing it, which ends it.
  await sql`select from maintenance_windows where tenant_id = ${tenantId} and id = ${id} for update`.execute(db)
  const [window] = await listWindows(db, tenantId, { since: services.now(), id })
  if (!window || window.endedAt !== null) throw notFound('There is no such maintenance window, or it has ended.')
  return window
}

/** A window that has run stays on record; one that never ran is deleted. */
const endWindow = async (db: Db, tenantId: string, window: StoredWindow, now: Date) => {
  const key = { tenant_id: tenantId, id: window.id }
  const hasBegun = listOccurrences(window, { fromMs: window.enteredAt.getTime(), toMs: now.getTime() }).length > 0
  if (hasBegun)
    await db
      .updateTable('maintenance_windows')
      .set({ ended_at: now })
      .where((row) => row.and(key))
      .execute()
  else
    await db
      .deleteFrom('maintenance_windows')
      .where((row) => row.and(key))
      .execute()
}

export const changeMaintenance = (ctx: Context, { id, ...planned }: PlannedMaintenance & { id: string }) =>
  ctx.transaction(async (db, client) => {
    const { tenantId, user, services } = ctx
    const before = await getWindow(db, ctx, id)
    await endWindow(db, tenantId, before, services.now())
    const after = await enter(db, client, ctx, planned)
    await recordAudit(db, tenantId, services.now(), {
      performer: user.email,
      action: 'maintenance.change',
      performee: after.name,
      details: { window: after.id, before: describe(before), after: describe(after) },
    })
    await requestReevaluation(db, tenantId)
    return { id: after.id }
  })

export const endMaintenance = (ctx: Context, { id }: { id: string }) =>
  ctx.transaction(async (db) => {
    const { tenantId, user, services } = ctx
    const before = await getWindow(db, ctx, id)
    await endWindow(db, tenantId, before, services.now())
    await recordAudit(db, tenantId, services.now(), {
      performer: user.email,
      action: 'maintenance.end',
      performee: before.name,
      details: { window: id, before: describe(before) },
    })
    await requestReevaluation(db, tenantId)
    return { message: 'The maintenance window has ended.' }
  })
