import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { type DaySpan, findPeriod } from '#contract/calendar-period.ts'
import type { Role } from '#contract/identity.ts'
import { Report } from '#contract/reports.ts'
import type { Database, Db } from '../platform/database/database.ts'
import { visibleGroup } from '../platform/scope.ts'
import { assertFence } from '../platform/worker/fence.ts'
import type { Job } from '../platform/worker/queues.ts'
import { buildReport } from './build-report.ts'
import { queueReportMail } from './report-mail.ts'
import {
  findDueSchedule,
  findNextTime,
  findSchedule,
  listRecipients,
  type Recipient,
  type StoredSchedule,
  toNext,
} from './schedule-rows.ts'

/** Whose terminals a recipient gets a report about: what they may see of the schedule's; undefined for nothing. */
const findAudience = ({ role, group }: Recipient, schedule: StoredSchedule): string | null | undefined => {
  const visible = visibleGroup({ role: role as Role, group })
  if (visible === undefined) return schedule.group
  return schedule.group === null || schedule.group === visible ? visible : undefined
}

interface Due {
  schedule: StoredSchedule
  days: DaySpan
}

/** The reports on the period, by the group that they are about. */
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

/** A group whose report is missing; undefined if everything is made. */
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
      ...{ tenant_id: tenantId, id: randomUUID(), schedule_id: schedule.id, name: schedule.name },
      ...{ group_name: report.group, period: report.period, first_day: report.firstDay, last_day: report.lastDay },
      ...{ made_at: report.madeAt, figures: JSON.stringify(z.encode(Report, report)) },
    })
    .onConflict((clash) => clash.columns(['tenant_id', 'schedule_id', 'period', 'first_day', 'group_name']).doNothing())
    .execute()
}

/** Queues the mails and advances the schedule in one transaction, so that nobody gets a report twice. */
const finish = async (db: Db, tenantId: string, due: Due) => {
  const { schedule } = due
  const made = await listMade(db, tenantId, due)
  for (const user of await listRecipients(db, tenantId, [schedule.id])) {
    const group = findAudience(user, schedule)
    const reportId = group === undefined ? undefined : made.get(group)
    if (reportId !== undefined) await queueReportMail(db, tenantId, user, reportId)
  }
  const isRequest = schedule.requestedDay !== null
  // The period after this one, which is due already if no process ran for so long.
  const next = toNext(schedule, schedule.nextAt)
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
 * Makes one report of what is due, or sends what is made. Returns when there is more to do. It can be killed and run again
 * at any point: a report is stored once for its schedule, period and group.
 */
export const makeDueReport = async (database: Database, job: Job, now: Date): Promise<Date | undefined> => {
  const { tenantId } = job
  const schedule = await database.transaction({ tenantId }, (db) => findDueSchedule(db, tenantId, now))
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
    // If it was changed meanwhile, or somebody has become a recipient, the next turn sees that.
    if (!isSame(schedule, await findSchedule(db, tenantId, schedule.id))) return
    if ((await findMissing(db, tenantId, due)) === undefined) await finish(db, tenantId, due)
  })
  return now
}
