import * as z from 'zod/mini'
import { accountGroups } from './account-groups.ts'
import { NoInput } from './basic-bodies.ts'
import { looseNumber } from './codecs.ts'
import { route } from './route.ts'
import { choice, textLike } from './text.ts'

const lineExtras = {
  /** The nickname in the URL of its page. */
  nickname: z.optional(z.string()),
  name: z.optional(z.string()),
  /** Its own limit in GB, also when it is in a pool. */
  usage_limit: z.nullish(z.number()),
  /** Usage in the previous cycle up to the same point in the cycle, in GB; null when unknown. */
  last_month_to_date: z.nullish(z.number()),
}

const PlanLineWire = z.object({
  service_line: z.string(),
  kit_number: z.nullish(z.string()),
  status: z.nullish(z.string()),
  total_usage: looseNumber,
  last_month_usage: looseNumber,
  ...lineExtras,
})

/** Usage in GB of the current and the previous month. */
const PlanLine = z.object({
  service_line: z.string(),
  kit_number: z.nullish(z.string()),
  status: z.nullish(z.string()),
  total_usage: z.nullable(z.number()),
  last_month_usage: z.nullable(z.number()),
  ...lineExtras,
})
export type PlanLine = z.output<typeof PlanLine>

const PlanWire = z.object({
  plan_name: z.nullish(z.string()),
  nickname: z.nullish(z.string()),
  customer_group: z.nullish(z.string()),
  virtual_plan_id: z.nullish(z.union([z.string(), z.number()])),
  usage_limit: looseNumber,
  data_usage_limit_GB: z.optional(looseNumber),
  price_usd: looseNumber,
  service_lines: z.nullish(z.array(PlanLineWire)),
  // Older responses have a single line, with its fields on the plan itself.
  service_line: z.nullish(z.string()),
  kit_number: z.nullish(z.string()),
  status: z.nullish(z.string()),
  total_usage: z.optional(looseNumber),
  last_month_usage: z.optional(looseNumber),
})

const Plan = z.object({
  plan_name: z.string(),
  customer_group: z.nullable(z.string()),
  virtual_plan_id: z.nullable(z.string()),
  /** In GB. */
  usage_limit: z.nullable(z.number()),
  price_usd: z.nullable(z.number()),
  service_lines: z.array(PlanLine),
})
export type Plan = z.output<typeof Plan>

type PlanWire = z.output<typeof PlanWire>

const readLines = (wire: PlanWire): PlanLine[] => {
  if (wire.service_lines) return wire.service_lines
  if (!wire.service_line) return []
  const { service_line, kit_number, status, total_usage = null, last_month_usage = null } = wire
  return [{ service_line, kit_number, status, total_usage, last_month_usage }]
}

const PlanCodec = z.codec(PlanWire, Plan, {
  decode: (wire) => ({
    plan_name: wire.plan_name || wire.nickname || 'UNKNOWN',
    customer_group: wire.customer_group || null,
    virtual_plan_id: wire.virtual_plan_id == null ? null : String(wire.virtual_plan_id),
    usage_limit: wire.usage_limit ?? wire.data_usage_limit_GB ?? null,
    price_usd: wire.price_usd,
    service_lines: readLines(wire),
  }),
  encode: (plan) => plan,
})

const Plans = z.object({ plans: z.array(PlanCodec) })

const perMonth = z.array(z.number())

/** A plan in each of the months. All months use the plan's current lines and current prices. */
const PlanMonths = z.object({
  plan_name: z.string(),
  customer_group: z.nullable(z.string()),
  data_GB: perMonth,
  /** Lines that had a billing cycle in the month. */
  lines: perMonth,
  price_usd: perMonth,
  /** Lines without a price in US dollars. */
  unpriced_lines: perMonth,
  /** Usage in the first days of the month, and in as many days of the previous month. */
  compared_GB: z.number(),
  before_GB: z.number(),
})
export type PlanMonths = z.output<typeof PlanMonths>

/** As 2026-01. */
const yearAndMonth = textLike(7, /^20\d\d-(0[1-9]|1[0-2])$/, 'Please enter a month such as 2026-01.')

const MonthInput = z.strictObject({ month: z.optional(yearAndMonth), group: z.optional(choice(accountGroups)) })

const ExecutiveMonths = z.object({
  month: z.string(),
  /** The current, incomplete month. */
  running: z.string(),
  /** Ends with `month`. */
  months: z.array(z.string()),
  /** The first day with known usage in each month; null where there is none. UTC days of the vendor. */
  firstDays: z.array(z.nullable(z.iso.date())),
  comparedDays: z.int(),
  plans: z.array(PlanMonths),
})
export type ExecutiveMonths = z.output<typeof ExecutiveMonths>

export const executive = {
  months: route({
    method: 'GET',
    path: '/executive-months/',
    access: 'admin',
    summary: 'Data and estimated prices of each plan in six months; read again after ten minutes',
    input: MonthInput,
    output: ExecutiveMonths,
  }),
  monthsPdf: route({
    method: 'GET',
    path: '/executive-months/pdf/',
    access: 'admin',
    summary: 'The same with availability and pools at risk, as a PDF file',
    input: MonthInput,
    output: z.file(),
    media: 'application/pdf',
  }),
  summary: route({
    method: 'GET',
    path: '/executive-summary/',
    access: 'admin',
    summary: 'Plans, their service lines and prices, of the whole tenant',
    input: NoInput,
    output: Plans,
  }),
  accountGroup: route({
    method: 'GET',
    path: '/account-group-plans/:group/',
    access: 'admin',
    summary: 'The same for one account group',
    input: z.strictObject({ group: choice(accountGroups) }),
    output: Plans,
  }),
}
