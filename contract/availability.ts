import * as z from 'zod/mini'
import { Done, NoInput } from './basic-bodies.ts'
import { calendarDay } from './calendar.ts'
import { calendarPeriods } from './calendar-period.ts'
import { moment } from './codecs.ts'
import { outageCauses } from './incident-cause.ts'
import { route } from './route.ts'
import { choice, requiredLine, text } from './text.ts'

/** How a span of time is classified. Planned maintenance takes precedence, and unobserved time is neither up nor down. */
export const availabilityKinds = ['up', 'down', 'planned', 'not observed'] as const
export type AvailabilityKind = (typeof availabilityKinds)[number]

const spanOrders = ['newest', 'longest'] as const
export type SpanOrder = (typeof spanOrders)[number]

const figures = {
  upS: z.number(),
  downS: z.number(),
  plannedS: z.number(),
  notObservedS: z.number(),
  /** Of the time that was observed and not planned; null if there was none. */
  percent: z.nullable(z.number()),
  outages: z.number(),
  longestS: z.number(),
  /** Null if there was no outage. */
  meanRepairS: z.nullable(z.number()),
  meanBetweenS: z.nullable(z.number()),
}
/** How much of a period so far was observed; null without terminals. */
const observedPercent = z.nullable(z.number())

/** Whether a share of the observed time says something about a period: most of it must have been observed. */
export const isMostlyObserved = (percent: z.output<typeof observedPercent>) => percent !== null && percent >= 50

export const Figures = z.object(figures)
export type Figures = z.output<typeof Figures>

export const target = {
  /** The availability promised to the group, in percent. */
  target: z.nullable(z.number()),
  isBreached: z.boolean(),
}

const period = {
  period: choice(calendarPeriods),
  /** Any day of the period; today by default. */
  day: z.optional(calendarDay),
  /** The last day of a custom period that begins on `day`. */
  lastDay: z.optional(calendarDay),
}
const periodOfGroup = { ...period, group: z.optional(text(100)) }
const PeriodOfGroup = z.strictObject(periodOfGroup)

const span = {
  timeZone: z.string(),
  firstDay: z.iso.date(),
  lastDay: z.iso.date(),
  from: moment,
  /** The end of the period, or the current time if it is still running. */
  until: moment,
  /** Nothing is recorded before this time. */
  heldSince: z.nullable(moment),
}

const GroupAvailability = z.object({ group: z.string(), terminals: z.number(), ...target, ...figures })
export type GroupAvailability = z.output<typeof GroupAvailability>

export const TerminalAvailability = z.object({
  nickname: z.string(),
  name: z.string(),
  kit: z.nullable(z.string()),
  group: z.string(),
  ...target,
  ...figures,
})
export type TerminalAvailability = z.output<typeof TerminalAvailability>

const availabilitySpan = {
  kit: z.nullable(z.string()),
  kind: z.enum(availabilityKinds),
  from: moment,
  until: moment,
  /** The incident of an outage. */
  incident: z.nullable(z.object({ id: z.string(), cause: z.enum(outageCauses) })),
  /** The name of the maintenance window. */
  window: z.nullable(z.string()),
}
const AvailabilitySpan = z.object(availabilitySpan)
export type AvailabilitySpan = z.output<typeof AvailabilitySpan>

const FleetSpan = z.object({ nickname: z.string(), name: z.string(), ...availabilitySpan })
export type FleetSpan = z.output<typeof FleetSpan>

const listedSpans = {
  /** Newest first by default. */
  order: z.optional(choice(spanOrders)),
}

export const availability = {
  summary: route({
    method: 'GET',
    path: '/availability/',
    access: 'user',
    summary:
      'How long the terminals that the caller may see worked in a calendar period, in the time zone of the tenant',
    input: PeriodOfGroup,
    output: z.object({
      ...span,
      observedPercent,
      total: Figures,
      groups: z.array(GroupAvailability),
      terminalCount: z.number(),
      /** The least available first; no more than 200. */
      terminals: z.array(TerminalAvailability),
    }),
  }),
  month: route({
    method: 'GET',
    path: '/availability/month/',
    access: 'user',
    summary: 'How much of this month the terminals that the caller may see worked; measured again after ten minutes',
    input: NoInput,
    output: z.object({
      /** Null if most of the month was not observed. */
      percent: z.nullable(z.number()),
      observedPercent,
      measuredAt: moment,
    }),
  }),
  terminal: route({
    method: 'GET',
    path: '/availability/terminals/:kitnumber/',
    access: 'user',
    summary: 'The times of which the figures of a line are made',
    input: z.strictObject({
      kitnumber: text(100),
      ...period,
      ...listedSpans,
      kind: z.optional(choice(availabilityKinds)),
    }),
    output: z.object({
      ...span,
      name: z.string(),
      total: Figures,
      spans: z.array(AvailabilitySpan),
      /** There are more than listed. */
      isCut: z.boolean(),
    }),
  }),
  spans: route({
    method: 'GET',
    path: '/availability/spans/',
    access: 'user',
    summary: 'The times of which the figures of a group, or of all terminals that the caller may see, are made',
    input: z.strictObject({ ...periodOfGroup, ...listedSpans, kind: choice(availabilityKinds) }),
    output: z.object({
      ...span,
      spans: z.array(FleetSpan),
      /** There are more than listed. */
      isCut: z.boolean(),
    }),
  }),
  download: route({
    method: 'GET',
    path: '/availability/csv/',
    access: 'user',
    summary: 'The figures of every terminal as a CSV file',
    input: PeriodOfGroup,
    output: z.string(),
    media: 'text/csv',
  }),
  setTarget: route({
    method: 'PUT',
    path: '/availability/target/',
    access: 'admin',
    summary: 'Sets the percent that a group was promised; null for none',
    input: z.strictObject({
      group: requiredLine(100),
      percent: z.nullable(
        z
          .number()
          .check(
            z.minimum(1, 'Please enter a percentage from 1 to 100.'),
            z.maximum(100, 'Please enter a percentage from 1 to 100.'),
          ),
      ),
    }),
    output: Done,
  }),
}
