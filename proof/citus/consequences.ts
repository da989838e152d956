import pg from 'pg'
import { judgeUntil } from '#server/incidents/testing/judge-until.ts'
import { addDays, toDay } from '#server/plans/days.ts'
import { createFleet } from '#server/plans/testing/fleet.ts'
import type { Job } from '#server/platform/worker/queues.ts'
import { makeDueReport } from '#server/reports/make-due.ts'
import { judgeDay } from '#server/warnings/queue.ts'
import type { SeededServer } from './seed.ts'

const DAY_MS = 86_400_000
const USED_DAYS = 75

/** Usage of the line on each of the last days, and its billing cycles. */
const addUsage = async (server: SeededServer, tenantId: 'a' | 'b', nowMs: number) => {
  const fleet = await createFleet(server.database, tenantId)
  const lines = await fleet.inTenant((db) => db.selectFrom('service_lines').select('id').orderBy('id').execute())
  const firstDay = toDay(new Date(nowMs - USED_DAYS * DAY_MS))
  for (const { id } of lines) {
    const gb = Array.from({ length: USED_DAYS }, (_, day) => ((day + id) % 7) + id / 8)
    await fleet.use(id, firstDay, gb, new Date(nowMs))
    for (let start = 0; start < USED_DAYS; start += 25)
      await fleet.setCycle(id, addDays(firstDay, start), addDays(firstDay, start + 25), 10 + start + id)
  }
}

const post = async (server: SeededServer, path: string, body: object) => {
  const { status, body: answer } = await server.as('admin', 'POST', `/api/${path}/`, body)
  if (status !== 200) throw new Error(`${path} returned ${status}: ${JSON.stringify(answer)}`)
  return answer
}

const makeReports = async (server: SeededServer, now: Date) => {
  const { rows } = await server.database.transaction({ tenantId: 'a' }, (_, client) =>
    client.query<{ fence: number }>(
      `insert into jobs (queue, tenant_id, fence) values ('reports', 'a', 1)
       on conflict (queue, tenant_id, subject) do update set fence = jobs.fence + 1 returning fence`,
    ),
  )
  const job: Job = { queue: 'reports', tenantId: 'a', subject: '', fence: rows[0]?.fence as number, failures: 0 }
  for (let next: Date | undefined = now; next !== undefined && next <= now; )
    next = await makeDueReport(server.database, job, now)
}

/**
 * What background work derives from telemetry and usage: incidents, warnings, and reports. `judgedAt` is after the last
 * status was recorded.
 */
export const deriveConsequences = async (
  server: SeededServer,
  { nowMs, judgedAt }: { nowMs: number; judgedAt: Date },
) => {
  const superuser = new pg.Client(server.superuser)
  await superuser.connect()
  await superuser.query(`update tenant_settings set public_status = true, time_zone = 'America/Anchorage'`)
  await superuser.end()
  await post(server, 'maintenance-windows', {
    name: 'New mast',
    target: { kind: 'group', group: 'south' },
    schedule: {
      repeats: 'weekly',
      firstDay: toDay(new Date(nowMs - 2 * DAY_MS)),
      startMinute: '00:00',
      lengthMinutes: 300,
      days: [1, 2, 3, 4, 5, 6, 7],
      lastDay: null,
    },
  })
  for (const tenantId of ['a', 'b'] as const) {
    await addUsage(server, tenantId, nowMs)
    await judgeUntil(server.database, tenantId, judgedAt)
    while (await judgeDay(server.database, tenantId, new Date(nowMs)));
  }
  for (const [minute, period] of ['week', 'month'].entries()) {
    const schedule = { name: `Each ${period}`, group: null, period, timeZone: 'UTC', sendAt: '07:00', recipients: [] }
    const { id } = await post(server, 'report-schedules', schedule)
    await post(server, `report-schedules/${id}/send`, {})
    // Reports of the same moment are in the order of their random ids.
    await makeReports(server, new Date(nowMs + minute * 60_000))
  }
}
