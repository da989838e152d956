import { formatBlockType } from '#contract/data-block.ts'
import { formatPercent } from '#contract/format/numbers.ts'
import { formatExactGb, formatLatency, formatSpeed } from '#contract/format/units.ts'
import type { TerminalDetailsItem } from '#contract/terminals.ts'

const unknown = '-'
const orUnknown = (show: (value: number) => string) => (value: number | null) =>
  value === null ? unknown : show(value)

export const formatKnownGb = orUnknown(formatExactGb)
export const formatKnownPercent = orUnknown((value) => formatPercent(value, 2))
export const formatKnownLatency = orUnknown(formatLatency)
export const formatKnownSpeed = orUnknown(formatSpeed)

/** The vendor reports fractions of 1. */
export const asPercent = (fraction: number | null) => (fraction === null ? null : fraction * 100)

type Usage = Pick<
  TerminalDetailsItem,
  'priority_GB' | 'standard_GB' | 'usage_limit_GB' | 'pool_current_usage' | 'pool_usage_limit'
>

export const sumGb = ({ priority_GB, standard_GB }: Usage) =>
  priority_GB === null && standard_GB === null ? null : (priority_GB ?? 0) + (standard_GB ?? 0)

export const limitGb = ({ pool_usage_limit, usage_limit_GB }: Usage) => pool_usage_limit ?? usage_limit_GB

/**
 * Usage in percent of the limit of the pool, or of the line when it has no pool; 0 without a positive limit, null if the
 * usage is unknown.
 */
export function computePercentConsumed(usage: Usage) {
  const used = usage.pool_usage_limit === null ? usage.priority_GB : usage.pool_current_usage
  const limit = limitGb(usage)
  if (limit === null || limit <= 0) return 0
  return used === null ? null : (used / limit) * 100
}

type Blocks = Pick<TerminalDetailsItem, 'data_blocks'>

export const sumBucketsGb = ({ data_blocks }: Blocks) =>
  data_blocks.length === 0 ? null : data_blocks.reduce((sum, { totalAmountGB }) => sum + (totalAmountGB ?? 0), 0)

export const formatBuckets = ({ data_blocks }: Blocks) =>
  data_blocks.map((block) => `${formatBlockType(block)} ${formatKnownGb(block.totalAmountGB ?? null)}`).join(', ') ||
  unknown
