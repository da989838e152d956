import * as z from 'zod/mini'
import { NoInput } from './answer.ts'
import { id, wholeNumber } from './codecs.ts'
import { route } from './route.ts'
import { oneOf, requiredLine, text } from './text.ts'

export const overLimitBehaviors = ['Hard Cap', 'Soft Cap', 'Purchase Buckets'] as const
const OverLimitBehavior = oneOf(overLimitBehaviors)
export type OverLimitBehavior = z.output<typeof OverLimitBehavior>

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
  /** Goes back with a save; a save of an older version is refused. */
  version: z.int(),
})
export type Pool = z.output<typeof Pool>

const lineNumber = requiredLine(100)

/** A form sends back the lines it was given, whole or by number alone. */
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

const usageLimitGb = wholeNumber(1, 10_000_000)

const poolForm = {
  plan_name: requiredLine(100),
  over_limit_behavior: z._default(OverLimitBehavior, 'Hard Cap'),
  usage_limit: usageLimitGb,
  assigned_service_lines: assignedLines(),
}

const CreatePool = z.strictObject(poolForm)
export type CreatePool = z.output<typeof CreatePool>

const UpdatePool = z.strictObject({
  ...poolForm,
  virtual_plan_id: id,
  usage_limit_next_month: usageLimitGb,
  /** Each buys a bucket, so a repeated request with the same Idempotency-Key buys none. */
  top_up_count: z.optional(wholeNumber(1, 100)),
  version: z.optional(wholeNumber(0, 2_147_483_647)),
})
export type UpdatePool = z.output<typeof UpdatePool>

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
    input: z.strictObject({ pool_details: CreatePool }),
    output: Pool,
  }),
  update: route({
    method: 'PATCH',
    path: '/virtual-plan/',
    access: { item: 'plan_manager' },
    summary: 'Change a data pool, and buy top-ups for it',
    input: z.strictObject({ pool_details: UpdatePool }),
    output: Pool,
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
