import { randomUUID } from 'node:crypto'
import { conflict, invalid, notFound } from '#contract/errors.ts'
import type { NewSchedule } from '#contract/reports.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import type { JsonObject } from '../platform/database/schema.ts'
import { getTimeZone } from '../platform/database/time-zone.ts'
import { enqueue } from '../platform/worker/enqueue.ts'
import { findLastPeriod } from './period.ts'
import {
  findSchedule,
  listRecipients,
  listSchedules,
  MAX_SCHEDULES,
  type StoredSchedule,
  setRecipients,
  toNext,
} from './schedule-rows.ts'

export const showSchedules = (ctx: Context) =>
  ctx.transaction(async (db) => {
    const { tenantId } = ctx
    const schedules = await listSchedules(db, tenantId)
    const recipients = await listRecipients(
      db,
      tenantId,
      schedules.map(({ id }) => id),
    )
    const bySchedule = Map.groupBy(recipients, ({ scheduleId }) => scheduleId)
    return {
      timeZone: await getTimeZone(db, tenantId),
      schedules: schedules.map(({ id, name, group, period, timeZone, sendMinute, ...schedule }) => ({
        id,
        name,
        group,
        period,
        timeZone,
        sendAt: sendMinute,
        recipients: (bySchedule.get(id) ?? []).map((user) => ({
          id: String(user.id),
          email: user.email,
          name: user.name,
        })),
        nextFirstDay: schedule.nextDay,
        nextAt: schedule.nextAt,
        isRequested: schedule.requestedDay !== null,
      })),
    }
  })

const requireGroup = async (db: Db, tenantId: string, group: string | null) => {
  if (group === null) return
  const line = await db
    .selectFrom('service_lines')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('group_name', '=', group)
    .limit(1)
    .executeTakeFirst()
  if (!line) throw notFound('No terminal belongs to this group.')
}

const toColumns = ({ name, group, period, timeZone, sendAt }: NewSchedule, now: Date) => ({
  name,
  group_name: group,
  period,
  time_zone: timeZone,
  send_minute: sendAt,
  ...toNext({ period, timeZone, sendMinute: sendAt }, now),
})

const saveRecipients = async (db: Db, tenantId: string, id: string, userIds: readonly string[]) => {
  const saved = await setRecipients(db, tenantId, id, userIds)
  if (saved < new Set(userIds).size) throw invalid('recipients: one of these users no longer exists.')
}

const describe = (schedule: Pick<StoredSchedule, 'name' | 'group' | 'period' | 'timeZone' | 'sendMinute'>) => {
  const { name, group, period, timeZone, sendMinute } = schedule
  return { name, group, period, timeZone, sendMinute } satisfies JsonObject
}

const describeNew = ({ sendAt, recipients, ...schedule }: NewSchedule) => ({
  ...describe({ ...schedule, sendMinute: sendAt }),
  recipients: recipients.length,
})

export const createSchedule = (ctx: Context, entered: NewSchedule) =>
  ctx.transaction(async (db) => {
    const { tenantId, user, services } = ctx
    if ((await listSchedules(db, tenantId)).length >= MAX_SCHEDULES)
      throw conflict(`There are ${MAX_SCHEDULES} schedules already. Please delete some first.`)
    await requireGroup(db, tenantId, entered.group)
    const id = randomUUID()
    const now = services.now()
    await db
      .insertInto('report_schedules')
      .values({ tenant_id: tenantId, id, ...toColumns(entered, now) })
      .execute()
    await saveRecipients(db, tenantId, id, entered.recipients)
    await recordAudit(db, tenantId, now, {
      performer: user.email,
      action: 'report.create',
      performee: entered.name,
      details: { schedule: id, after: describeNew(entered) },
    })
    await enqueue(db, 'reports', tenantId)
    return { id }
  })

const getSchedule = async (db: Db, tenantId: string, id: string) => {
  const schedule = await findSchedule(db, tenantId, id)
  if (!schedule) throw notFound('There is no such schedule.')
  return schedule
}

export const changeSchedule = (ctx: Context, { id, ...entered }: NewSchedule & { id: string }) =>
  ctx.transaction(async (db) => {
    const { tenantId, user, services } = ctx
    const before = await getSchedule(db, tenantId, id)
    await requireGroup(db, tenantId, entered.group)
    const now = services.now()
    await db
      .updateTable('report_schedules')
      .set(toColumns(entered, now))
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .execute()
    await saveRecipients(db, tenantId, id, entered.recipients)
    await recordAudit(db, tenantId, now, {
      performer: user.email,
      action: 'report.change',
      performee: entered.name,
      details: { schedule: id, before: describe(before), after: describeNew(entered) },
    })
    await enqueue(db, 'reports', tenantId)
    return { message: 'The schedule is saved.' }
  })

export const deleteSchedule = (ctx: Context, { id }: { id: string }) =>
  ctx.transaction(async (db) => {
    const { tenantId, user, services } = ctx
    const before = await getSchedule(db, tenantId, id)
    await db.deleteFrom('report_schedules').where('tenant_id', '=', tenantId).where('id', '=', id).execute()
    await recordAudit(db, tenantId, services.now(), {
      performer: user.email,
      action: 'report.delete',
      performee: before.name,
      details: { schedule: id, before: describe(before) },
    })
    return { message: 'The schedule is deleted. Its reports stay.' }
  })

export const sendNow = (ctx: Context, { id }: { id: string }) =>
  ctx.transaction(async (db) => {
    const { tenantId, user, services } = ctx
    const { name, period, timeZone } = await getSchedule(db, tenantId, id)
    const now = services.now()
    const { firstDay } = findLastPeriod(period, timeZone, now)
    await db
      .updateTable('report_schedules')
      .set({ requested_day: firstDay })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .execute()
    await recordAudit(db, tenantId, now, {
      performer: user.email,
      action: 'report.send',
      performee: name,
      details: { schedule: id, firstDay },
    })
    await enqueue(db, 'reports', tenantId)
    return { message: 'The report is being sent.' }
  })
