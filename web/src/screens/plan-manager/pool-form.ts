import { formatCount } from '#contract/format/numbers.ts'
import { formatShortDate } from '#contract/format/times.ts'
import {
  type CreatePool,
  defaultBehavior,
  type OverLimitBehavior,
  type Pool,
  type PoolBlock,
  type PoolLine,
  type PreviewPool,
  poolNameMaxLength,
  topUpBucketGb,
  type UpdatePool,
  usageLimitMaxGb,
  usageLimitMinGb,
} from '#contract/plans.ts'

/** A line in the form, which may have been removed or added since the form was opened. */
export interface FormLine extends PoolLine {
  removed?: boolean
  is_new?: boolean
}

export interface PoolForm {
  name: string
  behavior: OverLimitBehavior
  limit: string
  nextLimit: string
  topUps: PoolBlock[]
  lines: FormLine[]
}

const recurringGb = (blocks: readonly PoolBlock[]) => {
  const block = blocks.find(({ dataBlockType }) => dataBlockType === 'RecurringPerBillingCycle')
  return block === undefined ? '' : String(block.totalAmountGB)
}

export const emptyForm: PoolForm = {
  name: '',
  behavior: defaultBehavior,
  limit: '',
  nextLimit: '',
  topUps: [],
  lines: [],
}

export const toForm = (pool: Pool): PoolForm => ({
  name: pool.plan_name,
  behavior: pool.over_limit_behavior,
  limit: recurringGb(pool.usage_limit),
  nextLimit: recurringGb(pool.usage_limit_next_month),
  topUps: pool.usage_limit.filter(({ dataBlockType }) => dataBlockType === 'top_up'),
  lines: pool.assigned_service_lines,
})

export const addTopUp = (form: PoolForm, today: Date): PoolForm => ({
  ...form,
  topUps: [
    ...form.topUps,
    { dataBlockType: 'top_up', totalAmountGB: topUpBucketGb, state: 'new', date: formatShortDate(today) },
  ],
})

/** Removes the newest bucket that is not bought yet. */
export const dropTopUp = (form: PoolForm): PoolForm => {
  const place = form.topUps.findLastIndex(({ state }) => state === 'new')
  return place === -1 ? form : { ...form, topUps: form.topUps.toSpliced(place, 1) }
}

export const countNewTopUps = ({ topUps }: PoolForm) => topUps.filter(({ state }) => state === 'new').length

export const sumTopUpsGb = ({ topUps }: PoolForm) => topUps.reduce((sum, { totalAmountGB }) => sum + totalAmountGB, 0)

/** Adds lines that are not in the form yet. */
export const addLines = (form: PoolForm, lines: readonly PoolLine[]): PoolForm => {
  const present = new Set(form.lines.map(({ service_line }) => service_line))
  const added = lines.filter(({ service_line }) => !present.has(service_line))
  return { ...form, lines: [...form.lines, ...added.map((line) => ({ ...line, is_new: true }))] }
}

/** A saved line is struck out until the form is saved; a new one is removed at once. */
export const removeLine = (form: PoolForm, serviceLine: string): PoolForm => ({
  ...form,
  lines: form.lines.flatMap((line) => {
    if (line.service_line !== serviceLine) return [line]
    return line.is_new ? [] : [{ ...line, removed: true }]
  }),
})

export const restoreLine = (form: PoolForm, serviceLine: string): PoolForm => ({
  ...form,
  lines: form.lines.map(({ removed, ...line }) =>
    removed && line.service_line !== serviceLine ? { ...line, removed } : line,
  ),
})

/** Digits only: '1e3', '1.5' and ' 7' are not accepted. */
export const parseWholeGb = (text: string): number | undefined => {
  const gb = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  return gb >= usageLimitMinGb && gb <= usageLimitMaxGb ? gb : undefined
}

export type FormErrors = Partial<Record<'name' | 'limit' | 'nextLimit', string>>

const limitError = (text: string) =>
  parseWholeGb(text) === undefined
    ? `Please enter a whole number from ${formatCount(usageLimitMinGb)} to ${formatCount(usageLimitMaxGb)}.`
    : undefined

const nameError = (name: string) => {
  if (name.trim() === '') return 'This field is required.'
  return name.trim().length > poolNameMaxLength ? `Please enter at most ${poolNameMaxLength} characters.` : undefined
}

/** The errors of the form. The limit of next month is required in an edit only. */
export function checkForm(form: PoolForm, isNew: boolean): FormErrors {
  const errors: FormErrors = {
    name: nameError(form.name),
    limit: limitError(form.limit),
    nextLimit: isNew ? undefined : limitError(form.nextLimit),
  }
  return Object.fromEntries(Object.entries(errors).filter(([, error]) => error !== undefined))
}

/** The inputs of the forecast; undefined while the limit is not a number. */
export const toPreview = (form: PoolForm, pool: Pool | undefined): PreviewPool | undefined => {
  const usage_limit = parseWholeGb(form.limit)
  if (usage_limit === undefined) return undefined
  return {
    ...(pool && { virtual_plan_id: pool.virtual_plan_id }),
    usage_limit,
    top_up_count: countNewTopUps(form),
    assigned_service_lines: listNumbers(form),
  }
}

const listNumbers = ({ lines }: PoolForm) => lines.filter(({ removed }) => !removed).map((line) => line.service_line)

/** The body for creating a pool, from a form without errors. */
export const toCreatePool = (form: PoolForm): CreatePool => ({
  plan_name: form.name.trim(),
  over_limit_behavior: form.behavior,
  usage_limit: parseWholeGb(form.limit) as number,
  assigned_service_lines: listNumbers(form),
})

export const toUpdatePool = (form: PoolForm, { virtual_plan_id, version }: Pool): UpdatePool => ({
  ...toCreatePool(form),
  virtual_plan_id,
  version,
  usage_limit_next_month: parseWholeGb(form.nextLimit) as number,
  ...(countNewTopUps(form) > 0 && { top_up_count: countNewTopUps(form) }),
})
