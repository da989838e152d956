import { sql } from 'kysely'
import type { PlannedMaintenance, Schedule } from '#contract/maintenance.ts'
import type { Db } from '../platform/database/database.ts'
import type { PlannedSchedule } from './occurrences.ts'

export interface StoredWindow extends PlannedSchedule {
  id: string
  name: string
  lineId: number | null
  group: string | null
  area: { latitude: number; longitude: number; radiusKm: number } | null
}

interface WindowRow {
  id: string
  name: string
  service_line_id: number | null
  group_name: string | null
  latitude: number | null
  longitude: number | null
  radius_km: number | null
  repeats: Schedule['repeats']
  days: number[]
  first_day: string
  last_day: string | null
  start_minute: number
  length_minutes: number
  time_zone: string
  entered_at: Date
  ended_at: Date | null
}

const toSchedule = (row: WindowRow): Schedule => {
  const times = { firstDay: row.first_day, startMinute: row.start_minute, lengthMinutes: row.length_minutes }
  if (row.repeats === 'once') return { repeats: 'once', ...times }
  return { repeats: row.repeats, ...times, days: row.days, lastDay: row.last_day }
}

const toWindow = (row: WindowRow): StoredWindow => ({
  id: row.id,
  name: row.name,
  lineId: row.service_line_id,
  group: row.group_name,
  area:
    row.latitude === null || row.longitude === null || row.radius_km === null
      ? null
      : { latitude: row.latitude, longitude: row.longitude, radiusKm: row.radius_km },
  schedule: toSchedule(row),
  timeZone: row.time_zone,
  enteredAt: row.entered_at,
  endedAt: row.ended_at,
})

/** The most unfinished windows per tenant. */
export const MAX_WINDOWS = 1_000

/** Windows that may overlap the time since then, newest first; with an id only that one. */
export const listWindows = async (
  db: Db,
  tenantId: string,
  { since, id = null }: { since: Date; id?: string | null },
): Promise<StoredWindow[]> => {
  // The longest window takes a week, and days differ between zones.
  const { rows } = await sql<WindowRow>`
    select id, name, service_line_id, group_name, latitude, longitude, radius_km, repeats, days, first_day, last_day,
      start_minute, length_minutes, time_zone, entered_at, ended_at
    from maintenance_windows
    where tenant_id = ${tenantId} and (ended_at is null or ended_at > ${since})
      and (case repeats when 'once' then first_day else coalesce(last_day, 'infinity') end)
        > (${since}::timestamptz at time zone 'UTC')::date - 10
      and (${id}::uuid is null or id = ${id})
    order by entered_at desc, id
    limit ${3 * MAX_WINDOWS}`.execute(db)
  return rows.map(toWindow)
}

interface NewWindow extends Omit<PlannedMaintenance, 'target'>, Pick<StoredWindow, 'id' | 'lineId' | 'group' | 'area'> {
  timeZone: string
  enteredAt: Date
}

export const insertWindow = async (db: Db, tenantId: string, { schedule, area, ...window }: NewWindow) => {
  await db
    .insertInto('maintenance_windows')
    .values({
      tenant_id: tenantId,
      id: window.id,
      name: window.name,
      service_line_id: window.lineId,
      group_name: window.group,
      latitude: area?.latitude ?? null,
      longitude: area?.longitude ?? null,
      radius_km: area?.radiusKm ?? null,
      repeats: schedule.repeats,
      days: schedule.repeats === 'once' ? [] : [...new Set(schedule.days)].sort((one, other) => one - other),
      first_day: schedule.firstDay,
      last_day: schedule.repeats === 'once' ? null : schedule.lastDay,
      start_minute: schedule.startMinute,
      length_minutes: schedule.lengthMinutes,
      time_zone: window.timeZone,
      entered_at: window.enteredAt,
    })
    .execute()
}

/** As long as incidents. */
const RETENTION = '400 days'

/** Deletes windows that ended long ago. */
export const purgeMaintenanceWindows = async (db: Db, tenantId: string, now: Date): Promise<void> => {
  await sql`
    delete from maintenance_windows
    where tenant_id = ${tenantId} and least(ended_at, case repeats when 'once' then first_day else last_day end)
      < ${now}::timestamptz - interval '${sql.raw(RETENTION)}' - interval '10 days'`.execute(db)
}
