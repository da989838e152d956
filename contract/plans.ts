import * as z from 'zod/mini'
import { NoInput } from './basic-bodies.ts'
import { id, moment, wholeNumber } from './codecs.ts'
import { Forecast } from './forecast.ts'
import { route } from './route.ts'
import { LineKey } from './service-lines.ts'
import { choice, requiredLine, text } from './text.ts'

export const overLimitBehaviors = ['Hard Cap', 'Soft Cap', 'Purchase Buckets'] as const
const OverLimitBehavior = choice(overLimitBehaviors)
export type OverLimitBehavior = z.output<typeof OverLimitBehavior>

export const defaultBehavior: OverLimitBehavior = 'Hard Cap'
export const topUpBucketGb = 500
export const maxTopUpsAtOnce = 100

/** 'RecurringPerBillingCycle' or 'top_up'; a new top-up has a state and a date as MM/DD/YY. */
const PoolBlock = z.object({
  dataBlockType: z.string(),
  totalAmountGB: z.number(),
  state: z.optional(z.string()),
  date: z.optional(z.string()),
})
export type PoolBlock = z.output<typeof PoolBlock>

const PoolLine = z.object({
  service_line: z.string(),
  nickname: z.nullable(z.string()),
  kit_number: z.nullable(z.string()),
})
export type PoolLine = z.output<typeof PoolLine>

const Pool = z.object({
  virtual_plan_id: id,
  plan_name: z.string(),
  over_limit_behavior: OverLimitBehavior,
  usage_limit: z.array(PoolBlock),
  usage_limit_next_month: z.array(PoolBlock),
  assigned_service_lines: z.array(PoolLine),
  /** Sent back when the pool is saved. The save is rejected if the pool has changed since. */
  version: z.int(),
  /** The usage of its lines in the cycle, and the limit including top-ups, in GB. */
  current_usage: z.number(),
  total_limit: z.number(),
  /** When the vendor's figures were read; null before the first. */
  measured_at: z.nullable(moment),
  /** UTC days; the end is the first day of the next cycle. */
  cycle_start: z.iso.date(),
  cycle_end: z.iso.date(),
  /** When the limit was reached, while usage is above it. */
  over_limit_since: z.nullable(moment),
  forecast: Forecast,
})
export type Pool = z.output<typeof Pool>

/** The progress of an order to the vendor: sent, accepted and observed on the line, or why it was not. */
export const orderStates = ['asked', 'sending', 'accepted', 'seen', 'refused', 'not confirmed', 'withdrawn'] as const

/** The actions taken when a limit was reached. */
const Crossing = z.object({
  at: moment,
  behavior: OverLimitBehavior,
  limit_GB: z.number(),
  used_GB: z.number(),
  ended_at: z.nullable(moment),
  bucket_GB: z.nullable(z.number()),
  /** The orders that opted lines out, and those that restored them later. */
  orders: z.array(
    z.object({
      service_line: z.string(),
      nickname: z.string(),
      desired: choice(['opt out', 'opt in']),
      state: choice(orderStates),
      problem: z.nullable(z.string()),
    }),
  ),
})
export type Crossing = z.output<typeof Crossing>

const LineOutlook = z.object({
  service_line: z.string(),
  nickname: z.string(),
  used_GB: z.number(),
  /** Its share of the pool's forecast usage at the end of the cycle; null when there is no forecast. */
  share: z.nullable(z.number()),
  /** The forecast against the line's own limit. */
  limit_GB: z.nullable(z.number()),
  forecast: Forecast,
})
export type LineOutlook = z.output<typeof LineOutlook>

const PoolOutlook = z.object({
  forecast: Forecast,
  /** The forecast if one more bucket is bought. */
  with_bucket: Forecast,
  /** Lines by usage, largest first. */
  lines: z.array(LineOutlook),
  crossings: z.array(Crossing),
})
export type PoolOutlook = z.output<typeof PoolOutlook>

const lineNumber = requiredLine(100)

/** A form sends back the lines that it received, as whole objects or by number only. */
const AssignedLine = z.codec(
  z.union([
    lineNumber,
    z.strictObject({ service_line: lineNumber, nickname: z.nullish(text(200)), kit_number: z.nullish(text(200)) }),
  ]),
  z.string(),
  { decode: (line) => (typeof line === 'string' ? line : line.service_line), encode: (line) => line },
)

// @__NO_SIDE_EFFECTS__
function assignedLines() {
  return z.array(AssignedLine).check(z.maxLength(10_000, 'A pool holds at most 10000 service lines.'))
}

export const usageLimitMinGb = 1
export const usageLimitMaxGb = 10_000_000
export const poolNameMaxLength = 100

const usageLimitGb = wholeNumber(usageLimitMinGb, usageLimitMaxGb)

const poolForm = {
  plan_name: requiredLine(poolNameMaxLength),
  over_limit_behavior: z._default(OverLimitBehavior, defaultBehavior),
  usage_limit: usageLimitGb,
  assigned_service_lines: assignedLines(),
}

const CreatePool = z.strictObject(poolForm)
export type CreatePool = z.output<typeof CreatePool>

const UpdatePool = z.strictObject({
  ...poolForm,
  virtual_plan_id: id,
  usage_limit_next_month: usageLimitGb,
  /** Each one buys a bucket. A repeated request with the same Idempotency-Key buys nothing. */
  top_up_count: z.optional(wholeNumber(1, maxTopUpsAtOnce)),
  version: z.optional(wholeNumber(0, 2_147_483_647)),
})
export type UpdatePool = z.output<typeof UpdatePool>

const PreviewPool = z.strictObject({
  /** Absent when the pool is created. */
  virtual_plan_id: z.optional(id),
  usage_limit: usageLimitGb,
  top_up_count: z.optional(wholeNumber(0, maxTopUpsAtOnce)),
  assigned_service_lines: assignedLines(),
})
export type PreviewPool = z.output<typeof PreviewPool>

const PoolPreview = z.object({
  /** The usage of these lines in the cycle, and the limit including top-ups. */
  used_GB: z.number(),
  limit_GB: z.number(),
  cycle_end: z.iso.date(),
  forecast: Forecast,
})
export type PoolPreview = z.output<typeof PoolPreview>

export const plans = {
  list: route({
    method: 'GET',
    path: '/virtual-plan/',
    access: { item: 'plan_manager' },
    summary: 'The data pools',
    input: NoInput,
    output: z.object({ data: z.array(Pool) }),
  }),
  create: route({
    method: 'POST',
    path: '/virtual-plan/',
    access: { item: 'plan_manager' },
    summary: 'Create a data pool',
    maxBodyBytes: 1024 * 1024,
    input: z.strictObject({ pool_details: CreatePool }),
    output: Pool,
    isIdempotentByKey: true,
  }),
  update: route({
    method: 'PATCH',
    path: '/virtual-plan/',
    access: { item: 'plan_manager' },
    summary: 'Change a data pool, and buy top-ups for it',
    maxBodyBytes: 1024 * 1024,
    input: z.strictObject({ pool_details: UpdatePool }),
    output: Pool,
    isIdempotentByKey: true,
  }),
  preview: route({
    method: 'POST',
    path: '/virtual-plan-preview/',
    access: { item: 'plan_manager' },
    writes: false,
    summary: 'How long the data of a pool would last with other limits, top-ups and lines; nothing is saved',
    maxBodyBytes: 1024 * 1024,
    input: PreviewPool,
    output: PoolPreview,
  }),
  outlook: route({
    method: 'GET',
    path: '/virtual-plan/:virtual_plan_id/outlook/',
    access: { item: 'plan_manager' },
    summary: 'How long a pool’s data will last, which lines use it, and the actions taken when its limit was reached',
    input: z.strictObject({ virtual_plan_id: id }),
    output: PoolOutlook,
  }),
  lineOutlook: route({
    method: 'GET',
    path: '/service-lines/:nickname/outlook/',
    access: 'user',
    summary: 'How long a service line’s own data will last',
    input: z.strictObject({ nickname: LineKey }),
    output: z.extend(LineOutlook, {
      /** The forecast of the line's pool; null if it is in no pool that the caller may see. */
      pool_forecast: z.nullable(Forecast),
    }),
  }),
  availableLines: route({
    method: 'GET',
    path: '/vp-service-line',
    access: { item: 'plan_manager' },
    summary: 'Service lines that are in no pool',
    input: NoInput,
    output: z.object({ data: z.array(PoolLine) }),
  }),
}
