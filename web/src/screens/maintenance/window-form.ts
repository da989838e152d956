import * as z from 'zod/mini'
import { addDays } from '#contract/calendar-period.ts'
import { toLocalTime } from '#contract/format/times.ts'
import { flattenIssue } from '#contract/issues.ts'
import { type MaintenanceWindow, PlannedMaintenance, type Schedule } from '#contract/maintenance.ts'
import { formatStart } from './window-words.ts'

/** The fields of the form as text. */
export interface WindowFields {
  name: string
  kind: 'terminal' | 'group' | 'area'
  terminal: string
  group: string
  latitude: string
  longitude: string
  radiusKm: string
  repeats: Schedule['repeats']
  weekdays: string[]
  monthDays: string
  firstDay: string
  startMinute: string
  lengthMinutes: string
  lastDay: string
}

export type WindowErrors = Partial<Record<keyof WindowFields, string>>

const NIGHT_MINUTE = 120

const findNextNight = (nowMs: number, timeZone: string) => {
  const { day, minute } = toLocalTime(nowMs, timeZone)
  return minute < NIGHT_MINUTE ? day : addDays(day, 1)
}

/** The default is two hours in the next night. */
export const toFields = (window: MaintenanceWindow | undefined, nowMs: number, timeZone: string): WindowFields => {
  const { target, schedule } = window ?? {}
  const area = target?.kind === 'area' ? target.area : undefined
  const days = schedule && schedule.repeats !== 'once' ? schedule.days.map(String) : []
  return {
    name: window?.name ?? '',
    kind: target?.kind ?? 'terminal',
    terminal: target?.kind === 'terminal' ? target.terminal : '',
    group: target?.kind === 'group' ? target.group : '',
    latitude: area ? String(area.latitude) : '',
    longitude: area ? String(area.longitude) : '',
    radiusKm: area ? String(area.radiusKm) : '50',
    repeats: schedule?.repeats ?? 'once',
    weekdays: schedule?.repeats === 'weekly' ? days : [],
    monthDays: schedule?.repeats === 'monthly' ? days.join(', ') : '',
    firstDay: schedule?.firstDay ?? findNextNight(nowMs, timeZone),
    startMinute: formatStart(schedule?.startMinute ?? NIGHT_MINUTE),
    lengthMinutes: String(schedule?.lengthMinutes ?? 120),
    lastDay: schedule && schedule.repeats !== 'once' ? (schedule.lastDay ?? '') : '',
  }
}

const toNumber = (text: string) => (text.trim() === '' ? Number.NaN : Number(text))

const toTarget = ({ kind, terminal, group, latitude, longitude, radiusKm }: WindowFields) => {
  if (kind === 'terminal') return { kind, terminal }
  if (kind === 'group') return { kind, group }
  return { kind, area: { latitude: toNumber(latitude), longitude: toNumber(longitude), radiusKm } }
}

const toSchedule = ({ repeats, weekdays, monthDays, firstDay, startMinute, lengthMinutes, lastDay }: WindowFields) => {
  const times = { firstDay, startMinute, lengthMinutes }
  if (repeats === 'once') return { repeats, ...times }
  const days = repeats === 'weekly' ? weekdays : monthDays.split(/[\s,]+/).filter(Boolean)
  return { repeats, ...times, days, lastDay: lastDay || null }
}

/** The request, or the errors by field. */
export const readFields = (fields: WindowFields): { planned?: PlannedMaintenance; errors: WindowErrors } => {
  const entered = { name: fields.name, target: toTarget(fields), schedule: toSchedule(fields) }
  const parsed = z.safeDecode(PlannedMaintenance, entered)
  if (parsed.success) return { planned: parsed.data, errors: {} }
  const errors: WindowErrors = {}
  for (const { path, message } of parsed.error.issues.flatMap(flattenIssue)) {
    const last = path.findLast((part) => typeof part === 'string')
    const name = last === 'days' ? (fields.repeats === 'weekly' ? 'weekdays' : 'monthDays') : last
    errors[name as keyof WindowFields] ??= message
  }
  return { errors }
}
