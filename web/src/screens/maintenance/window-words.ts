import { formatLength } from '#contract/format/durations.ts'
import { formatList } from '#contract/format/lists.ts'
import { formatShort } from '#contract/format/numbers.ts'
import { formatDay } from '#contract/format/times.ts'
import { formatPosition } from '#contract/format/units.ts'
import type { MaintenanceWindow, Schedule } from '#contract/maintenance.ts'

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

const pad = (value: number) => String(value).padStart(2, '0')

export const formatStart = (minute: number) => `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`

const formatDays = (schedule: Exclude<Schedule, { repeats: 'once' }>) => {
  if (schedule.repeats === 'monthly') return `Monthly on day ${formatList(schedule.days.map(String))}`
  if (schedule.days.length === 7) return 'Every day'
  return `Every ${formatList(schedule.days.map((day) => weekdays[day - 1] ?? ''))}`
}

/** 'Every Sunday at 02:30 for 2 h, until Dec 31'. */
export const describeSchedule = (schedule: Schedule) => {
  const start = `at ${formatStart(schedule.startMinute)} for ${formatLength(schedule.lengthMinutes * 60)}`
  if (schedule.repeats === 'once') return `${formatDay(schedule.firstDay)} ${start}`
  const end = schedule.lastDay === null ? '' : `, until ${formatDay(schedule.lastDay)}`
  return `${formatDays(schedule)} ${start}${end}`
}

export const describeTarget = ({ target, terminalName }: Pick<MaintenanceWindow, 'target' | 'terminalName'>) => {
  if (target.kind === 'terminal') return terminalName ?? target.terminal
  if (target.kind === 'group') return `Group ${target.group}`
  const { latitude, longitude, radiusKm } = target.area
  return `Within ${formatShort(radiusKm)} km of ${formatPosition([latitude, longitude])}`
}
