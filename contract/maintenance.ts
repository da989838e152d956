import * as z from 'zod/mini'
import { Done } from './basic-bodies.ts'
import { calendarDay, timeOfDay } from './calendar.ts'
import { moment, wholeNumber } from './codecs.ts'
import { route } from './route.ts'
import { choice, requiredLine, text, uuid } from './text.ts'

const id = uuid('This is not a valid id.')

const LONGEST_MINUTES = 7 * 1440
const LONGEST_RADIUS_KM = 2000

const coordinate = (limit: number) => {
  const message = `Please enter a number from -${limit} to ${limit}.`
  return z.number(message).check(z.minimum(-limit, message), z.maximum(limit, message))
}

const days = (most: number) =>
  z
    .array(wholeNumber(1, most))
    .check(z.minLength(1, 'Please choose at least one day.'), z.maxLength(most, 'Please choose each day once.'))

const times = {
  /** The day on which it happens, or the first day of a recurring one. */
  firstDay: calendarDay,
  startMinute: timeOfDay,
  lengthMinutes: wholeNumber(1, LONGEST_MINUTES),
}

/** When maintenance happens, in the time zone of the tenant. */
const Schedule = z.union([
  z.strictObject({ repeats: choice(['once']), ...times }),
  z.strictObject({
    repeats: choice(['weekly']),
    ...times,
    /** 1 is Monday. */
    days: days(7),
    lastDay: z.nullable(calendarDay),
  }),
  z.strictObject({
    repeats: choice(['monthly']),
    ...times,
    /** In shorter months, the last day is used instead. */
    days: days(31),
    lastDay: z.nullable(calendarDay),
  }),
])
export type Schedule = z.output<typeof Schedule>

const Area = z.strictObject({
  latitude: coordinate(90),
  longitude: coordinate(180),
  radiusKm: wholeNumber(1, LONGEST_RADIUS_KM),
})

/** The affected lines: one line, by its nickname, number or kit number; those of a group; or the stationary ones in an area. */
const Target = z.union([
  z.strictObject({ kind: choice(['terminal']), terminal: requiredLine(100) }),
  z.strictObject({ kind: choice(['group']), group: requiredLine(100) }),
  z.strictObject({ kind: choice(['area']), area: Area }),
])

/** The fields that an administrator enters. */
const plannedFields = { name: requiredLine(100), target: Target, schedule: Schedule }
export const PlannedMaintenance = z.strictObject(plannedFields)
export type PlannedMaintenance = z.output<typeof PlannedMaintenance>

const windowStates = ['running', 'upcoming', 'past'] as const

const MaintenanceWindow = z.object({
  id: z.string(),
  ...plannedFields,
  /** The name of the line, if the target is a single one. */
  terminalName: z.nullable(z.string()),
  timeZone: z.string(),
  state: z.enum(windowStates),
  /** The current occurrence, or else the next, or else the last one. */
  from: z.nullable(moment),
  until: z.nullable(moment),
  /** Only terminals that the caller may see are counted. */
  terminals: z.number(),
})
export type MaintenanceWindow = z.output<typeof MaintenanceWindow>

export const maintenance = {
  list: route({
    method: 'GET',
    path: '/maintenance-windows/',
    access: 'user',
    summary:
      'Maintenance windows of the terminals that the caller may see: what runs first, then what comes, then the past',
    input: z.strictObject({
      state: z.optional(choice(windowStates)),
      /** Only windows of this line: its nickname, its number or a kit number. */
      terminal: z.optional(text(100)),
    }),
    output: z.object({ timeZone: z.string(), windows: z.array(MaintenanceWindow) }),
  }),
  create: route({
    method: 'POST',
    path: '/maintenance-windows/',
    access: 'admin',
    summary: 'Plans maintenance, during which nobody is notified and which availability leaves out',
    input: PlannedMaintenance,
    output: z.object({ id: z.string() }),
  }),
  change: route({
    method: 'PUT',
    path: '/maintenance-windows/:id/',
    access: 'admin',
    summary: 'Plans maintenance anew from now on; what has passed stays as it was, under the old id',
    input: z.strictObject({ id, ...plannedFields }),
    output: z.object({ id: z.string() }),
  }),
  end: route({
    method: 'DELETE',
    path: '/maintenance-windows/:id/',
    access: 'admin',
    summary: 'Ends a maintenance window now; one that has not begun is deleted',
    input: z.strictObject({ id }),
    output: Done,
  }),
}
