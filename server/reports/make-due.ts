import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { type DaySpan, findPeriod } from '#contract/calendar-period.ts'
import type { Role } from '#contract/identity.ts'
import { Report } from '#contract/reports.ts'
import type { Database, Db } from '../platform/database/database.ts'
import { findFeedAt } from '../platform/database/feed-time.ts'
import { getVisibleGroup } from '../platform/scope.ts'
import { assertFence } from '../platform/worker/fence.ts'
import type { Job } from '../platform/worker/queues.ts'
import { buildReport } from './build-report.ts'
import { findSendTime } from './period.ts'
import { queueReportMail } from './report-mail.ts'
import {
  findDueSchedule,
  findNextTime,
  findSchedule,
  listFarSchedules,
  listRecipients,
  type Recipient,
  type StoredSchedule,
  toNext,
} from './schedule-rows.ts'

const DAY_MS = 86_400_000

/** Reverts what was done while the clock was ahead: reports on days that have not come, and schedules that skip periods. */
const correctSchedules = async (db: Db, tenantId: string, now: Date) => {
  const tomorrow = new Date(now.getTime() + DAY_MS)
  const feedAt = await findFeedAt(db, tenantId)
  // The clock is behind, as after a start without a battery: these days have come, and their reports would be lost.
  if (feedAt && feedAt > tomorrow) return
  for (const schedule of await listFarSchedules(db, tenantId, now)) {
    if (schedule.nextAt <= toNext(schedule, tomorrow).next_at) continue
    await db
      .deleteFrom('reports')
      .where('tenant_id', '=', tenantId)
      .where('schedule_id', '=', schedule.id)
      .where('made_at', '>', tomorrow)
      .execute()
    await db
      .updateTable('report_schedules')
      .set(toNext(schedule, now))
      .where('tenant_id', '=', tenantId)
      .where('id', '=', schedule.id)
      .execute()
  }
}

/** The group of a recipient's report: the part of the schedule's terminals that they may see; undefined if none. */
const findAudience = ({ role, group }: Recipient, schedule: StoredSchedule): string | null | undefined => {
  const visible = getVisibleGroup({ role: role as Role, group })
  if (visible === undefined) return schedule.group
  return schedule.group === null || schedule.group === visible ? visible : undefined
}

interface Due {
  schedule: StoredSchedule
  days: DaySpan
}

/** The existing reports on the period, by group. */
const listMade = async (db: Db, tenantId: string, { schedule, days }: Due) => {
  const rows = await db
    .selectFrom('reports')
    .select(['id', 'group_name'])
    .where('tenant_id', '=', tenantId)
    .where('schedule_id', '=', schedule.id)
    .where('period', '=', schedule.period)
    .where('first_day', '=', days.firstDay)
    .execute()
  return new Map(rows.map(({ id, group_name }) => [group_name, id]))
}

/** A group whose report is missing; undefined if all exist. */
const findMissing = async (db: Db, tenantId: string, due: Due): Promise<string | null | undefined> => {
  const recipients = await listRecipients(db, tenantId, [due.schedule.id])
  const made = await listMade(db, tenantId, due)
  const wanted = [due.schedule.group, ...recipients.map((user) => findAudience(user, due.schedule))]
  return wanted.find((group) => group !== undefined && !made.has(group))
}

const store = async (db: Db, tenantId: string, { schedule }: Due, report: Report) => {
  await db
    .insertInto('reports')
    .values({
      tenant_id: tenantId,
      id: randomUUID(),
      schedule_id: schedule.id,
      name: schedule.name,
      group_name: report.group,
      period: report.period,
      first_day: report.firstDay,
      last_day: report.lastDay,
      made_at: report.madeAt,
      figures: JSON.stringify(z.encode(Report, report)),
    })
    .onConflict((clash) => clash.columns(['tenant_id', 'schedule_id', 'period', 'first_day', 'group_name']).doNothing())
    .execute()
}

/** Queues the mails and advances the schedule in one transaction, so that no report is sent twice. */
const finish = async (db: Db, tenantId: string, due: Due) => {
  const { schedule } = due
  const made = await listMade(db, tenantId, due)
  for (const user of await listRecipients(db, tenantId, [schedule.id])) {
    const group = findAudience(user, schedule)
    const reportId = group === undefined ? undefined : made.get(group)
    if (reportId !== undefined) await queueReportMail(db, tenantId, user, reportId)
  }
  const isRequest = schedule.requestedDay !== null
  // The following period, which may be due already if no process was running.
  const next = toNext(schedule, findSendTime(schedule, schedule.nextDay))
  await db
    .updateTable('report_schedules')
    .set(isRequest ? { requested_day: null } : next)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', schedule.id)
    .execute()
}

const isSame = (one: StoredSchedule, other: StoredSchedule | undefined) =>
  other !== undefined && JSON.stringify(one) === JSON.stringify(other)

/**
 * Creates one due report, or sends the finished ones. Returns when there is more to do. It can be killed and rerun at any
 * point: a report is stored once per schedule, period and group.
 */
export const makeDueReport = async (database: Database, job: Job, now: Date): Promise<Date | undefined> => {
  const { tenantId } = job
  const schedule = await database.transaction({ tenantId }, async (db) => {
    await correctSchedules(db, tenantId, now)
    return findDueSchedule(db, tenantId, now)
  })
  if (!schedule) return database.transaction({ tenantId }, (db) => findNextTime(db, tenantId))
  const due = { schedule, days: findPeriod(schedule.period, schedule.requestedDay ?? schedule.nextDay) }
  const group = await database.transaction({ tenantId }, (db) => findMissing(db, tenantId, due))
  if (group !== undefined) {
    const { period, timeZone } = schedule
    const report = await database.transaction(
      { tenantId, group: group ?? undefined },
      (db) => buildReport(db, tenantId, { group, period, timeZone, ...due.days }, now),
      { isReadOnly: true },
    )
    await database.transaction({ tenantId }, async (db) => {
      await assertFence(db, job)
      await store(db, tenantId, due, report)
    })
    return now
  }
  await database.transaction({ tenantId }, async (db) => {
    await assertFence(db, job)
    // If the schedule or its recipients changed in the meantime, the next run handles it.
    if (!isSame(schedule, await findSchedule(db, tenantId, schedule.id))) return
    if ((await findMissing(db, tenantId, due)) === undefined) await finish(db, tenantId, due)
  })
  return now
}
