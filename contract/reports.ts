import * as z from 'zod/mini'
import { Figures, TerminalAvailability, target } from './availability.ts'
import { Done, NoInput } from './basic-bodies.ts'
import { timeOfDay } from './calendar.ts'
import { moment, id as numericId } from './codecs.ts'
import { Forecast } from './forecast.ts'
import { route } from './route.ts'
import { choice, requiredLine, uuid } from './text.ts'
import { NamedTimeZone } from './time-zone.ts'

const id = uuid('This is not a valid id.')

export const reportPeriods = ['week', 'month'] as const
export type ReportPeriod = (typeof reportPeriods)[number]

/** The group whose terminals are covered; null for all groups. */
const group = z.nullable(requiredLine(100))

const days = { period: z.enum(reportPeriods), firstDay: z.iso.date(), lastDay: z.iso.date() }

const ReportGroup = z.object({ group: z.string(), terminals: z.number(), ...target, ...Figures.shape })

const ReportTerminal = z.object({ ...TerminalAvailability.shape, usedGb: z.nullable(z.number()) })
export type ReportTerminal = z.output<typeof ReportTerminal>

const ReportIncident = z.object({
  title: z.string(),
  explanation: z.string(),
  startedAt: moment,
  /** Null if it was still ongoing when the report was made. */
  endedAt: z.nullable(moment),
  terminals: z.number(),
})
export type ReportIncident = z.output<typeof ReportIncident>

const ReportLine = z.object({
  name: z.string(),
  group: z.string(),
  /** In the period. */
  usedGb: z.number(),
  /** Usage in the billing cycle at the time of the report. */
  cycleUsedGb: z.nullable(z.number()),
  limitGb: z.nullable(z.number()),
  forecast: Forecast,
})
export type ReportLine = z.output<typeof ReportLine>

const ReportPool = z.object({
  name: z.string(),
  usedGb: z.number(),
  limitGb: z.number(),
  cycleEnd: z.iso.date(),
  forecast: Forecast,
})
export type ReportPool = z.output<typeof ReportPool>

/** The figures of a report. Past reports are stored in this shape, so fields may only be added, as optional ones. */
export const Report = z.object({
  group: z.nullable(z.string()),
  ...days,
  timeZone: z.string(),
  from: moment,
  until: moment,
  /** Nothing is recorded before this time. */
  heldSince: z.nullable(moment),
  madeAt: moment,
  availability: z.object({ ...Figures.shape, ...target, previousPercent: z.nullable(z.number()) }),
  /** Only in a report on all terminals; least available first. */
  groups: z.array(ReportGroup),
  groupCount: z.number(),
  /** Least available first. */
  terminals: z.array(ReportTerminal),
  terminalCount: z.number(),
  /** Newest first. */
  incidents: z.array(ReportIncident),
  incidentCount: z.number(),
  /** Incidents are known only from this time within the period, or after it; null if from its start. */
  incidentsSince: z.optional(z.nullable(moment)),
  usage: z.object({
    usedGb: z.number(),
    previousGb: z.nullable(z.number()),
    /** The vendor's days, in UTC. */
    days: z.array(z.object({ day: z.iso.date(), gb: z.number() })),
    /** The lines with the highest usage. */
    lines: z.array(ReportLine),
  }),
  /** Only for readers who may see plans. */
  pools: z.array(ReportPool),
})
export type Report = z.output<typeof Report>

const ReportHeading = z.object({
  id: z.string(),
  /** The name of its schedule. */
  name: z.string(),
  group: z.nullable(z.string()),
  ...days,
  madeAt: moment,
  /** Null if nothing was observed. */
  percent: z.nullable(z.number()),
  isBreached: z.boolean(),
})
export type ReportHeading = z.output<typeof ReportHeading>

/** The most users that one schedule can send to. */
export const maxRecipients = 200

/** The fields that an administrator enters. */
const scheduleFields = {
  name: requiredLine(100),
  group,
  period: choice(reportPeriods),
  timeZone: NamedTimeZone,
  /** On the day after the period. */
  sendAt: timeOfDay,
  recipients: z.array(numericId).check(z.maxLength(maxRecipients, `Please choose at most ${maxRecipients} users.`)),
}
export const NewSchedule = z.strictObject(scheduleFields)
export type NewSchedule = z.output<typeof NewSchedule>

const ReportSchedule = z.object({
  id: z.string(),
  ...scheduleFields,
  recipients: z.array(z.object({ id: z.string(), email: z.string(), name: z.string() })),
  /** The next period to report, and when. */
  nextFirstDay: z.iso.date(),
  nextAt: moment,
  /** A report was requested outside of the schedule. */
  isRequested: z.boolean(),
})
export type ReportSchedule = z.output<typeof ReportSchedule>

export const reports = {
  list: route({
    method: 'GET',
    path: '/reports/',
    access: 'user',
    summary:
      'Reports about terminals that the caller may see, newest first; for the next page, `before` is the id of the last one',
    input: z.strictObject({ before: z.optional(id) }),
    output: z.object({ reports: z.array(ReportHeading), hasMore: z.boolean() }),
  }),
  get: route({
    method: 'GET',
    path: '/reports/:id/',
    access: 'user',
    summary: 'A report with its figures',
    input: z.strictObject({ id }),
    output: z.object({ name: z.string(), report: Report }),
  }),
  pdf: route({
    method: 'GET',
    path: '/reports/:id/pdf/',
    access: 'user',
    summary: 'A report as a PDF file',
    input: z.strictObject({ id }),
    output: z.file(),
    media: 'application/pdf',
  }),
  csv: route({
    method: 'GET',
    path: '/reports/:id/csv/',
    access: 'user',
    summary: 'The terminals of a report as a CSV file',
    input: z.strictObject({ id }),
    output: z.string(),
    media: 'text/csv',
  }),
  preview: route({
    method: 'GET',
    path: '/report-preview/',
    access: 'admin',
    summary: 'The figures that a report on the last whole period would have now',
    input: z.strictObject({
      group: z.optional(requiredLine(100)),
      period: choice(reportPeriods),
      timeZone: NamedTimeZone,
    }),
    output: z.object({ report: Report }),
  }),
  schedules: route({
    method: 'GET',
    path: '/report-schedules/',
    access: 'admin',
    summary: 'When reports are made, and who gets them',
    input: NoInput,
    output: z.object({ timeZone: z.string(), schedules: z.array(ReportSchedule) }),
  }),
  createSchedule: route({
    method: 'POST',
    path: '/report-schedules/',
    access: 'admin',
    summary: 'Schedules reports, which are sent by mail and retained',
    input: NewSchedule,
    output: z.object({ id: z.string() }),
  }),
  changeSchedule: route({
    method: 'PUT',
    path: '/report-schedules/:id/',
    access: 'admin',
    summary: 'Changes a schedule; reports that were made stay as they are',
    input: z.strictObject({ id, ...scheduleFields }),
    output: Done,
  }),
  deleteSchedule: route({
    method: 'DELETE',
    path: '/report-schedules/:id/',
    access: 'admin',
    summary: 'Deletes a schedule; reports that were made stay',
    input: z.strictObject({ id }),
    output: Done,
  }),
  sendNow: route({
    method: 'POST',
    path: '/report-schedules/:id/send/',
    access: 'admin',
    summary: 'Sends the report on the last whole period to the recipients of a schedule at once',
    input: z.strictObject({ id }),
    output: Done,
  }),
}
