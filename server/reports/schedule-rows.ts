import { sql } from 'kysely'
import type { ReportPeriod } from '#contract/reports.ts'
import type { Db } from '../platform/database/database.ts'
import { findNextPeriod, findSendTime, type ReportTiming } from './period.ts'

export interface StoredSchedule extends ReportTiming {
  id: string
  name: string
  group: string | null
  nextDay: string
  nextAt: Date
  requestedDay: string | null
}

interface ScheduleRow {
  id: string
  name: string
  group_name: string | null
  period: ReportPeriod
  time_zone: string
  send_minute: number
  next_day: string
  next_at: Date
  requested_day: string | null
}

const toSchedule = (row: ScheduleRow): StoredSchedule => ({
  id: row.id,
  name: row.name,
  group: row.group_name,
  period: row.period,
  timeZone: row.time_zone,
  sendMinute: row.send_minute,
  nextDay: row.next_day,
  nextAt: row.next_at,
  requestedDay: row.requested_day,
})

const columns = sql`id, name, group_name, period, time_zone, send_minute, next_day, next_at, requested_day`

/** The most schedules per tenant. */
export const MAX_SCHEDULES = 1_000

export const listSchedules = async (db: Db, tenantId: string): Promise<StoredSchedule[]> => {
  const { rows } = await sql<ScheduleRow>`
    select ${columns} from report_schedules where tenant_id = ${tenantId}
    order by natural_key(name), id limit ${MAX_SCHEDULES}`.execute(db)
  return rows.map(toSchedule)
}

/** Schedules whose next report is due later than a period from this time. */
export const listFarSchedules = async (db: Db, tenantId: string, now: Date): Promise<StoredSchedule[]> => {
  const { rows } = await sql<ScheduleRow>`
    select ${columns} from report_schedules
    where tenant_id = ${tenantId}
      and next_at > ${now}::timestamptz + case period when 'week' then interval '8 days' else interval '32 days' end
    order by id limit ${MAX_SCHEDULES}`.execute(db)
  return rows.map(toSchedule)
}

export const findSchedule = async (db: Db, tenantId: string, id: string): Promise<StoredSchedule | undefined> => {
  const { rows } = await sql<ScheduleRow>`
    select ${columns} from report_schedules where tenant_id = ${tenantId} and id = ${id} for update`.execute(db)
  return rows[0] && toSchedule(rows[0])
}

/** The schedule that has been due longest; requested reports come first. */
export const findDueSchedule = async (db: Db, tenantId: string, now: Date): Promise<StoredSchedule | undefined> => {
  const { rows } = await sql<ScheduleRow>`
    select ${columns} from report_schedules
    where tenant_id = ${tenantId} and (requested_day is not null or next_at <= ${now})
    order by requested_day is null, next_at, id limit 1`.execute(db)
  return rows[0] && toSchedule(rows[0])
}

export const findNextTime = async (db: Db, tenantId: string): Promise<Date | undefined> => {
  const { rows } = await sql<{ at: Date | null }>`
    select min(next_at) as at from report_schedules where tenant_id = ${tenantId}`.execute(db)
  return rows[0]?.at ?? undefined
}

/** The next period to report, and when. */
export const toNext = (timing: ReportTiming, now: Date) => {
  const { firstDay } = findNextPeriod(timing, now)
  return { next_day: firstDay, next_at: findSendTime(timing, firstDay) }
}

export interface Recipient {
  scheduleId: string
  id: number
  email: string
  name: string
  role: string
  group: string
}

/** The recipients of these schedules, with their current permissions. */
export const listRecipients = async (
  db: Db,
  tenantId: string,
  scheduleIds: readonly string[],
): Promise<Recipient[]> => {
  const { rows } = await sql<Recipient>`
    select recipient.schedule_id as "scheduleId", account.id, account.email, account.customer_name as name, account.role,
      account.group_name as "group"
    from report_recipients as recipient
    join users as account on account.tenant_id = recipient.tenant_id and account.id = recipient.user_id
    where recipient.tenant_id = ${tenantId} and recipient.schedule_id = any(${scheduleIds}::uuid[])
    order by account.email`.execute(db)
  return rows
}

export const setRecipients = async (db: Db, tenantId: string, scheduleId: string, userIds: readonly string[]) => {
  await sql`delete from report_recipients where tenant_id = ${tenantId} and schedule_id = ${scheduleId}`.execute(db)
  const { rows } = await sql<{ id: number }>`
    insert into report_recipients (tenant_id, schedule_id, user_id)
    select tenant_id, ${scheduleId}::uuid, id from users
    where tenant_id = ${tenantId} and id = any(${userIds}::bigint[]) and not is_service
    returning user_id as id`.execute(db)
  return rows.length
}
