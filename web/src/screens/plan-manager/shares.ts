import { formatCount, formatCounted, formatPercent } from '#contract/format/numbers.ts'
import type { LineOutlook } from '#contract/plans.ts'

const most = 0.5

/** 'Nome Clinic and 2 more lines cause 54% of it.': the fewest lines that make up at least half. */
export function describeTopLines(lines: readonly Pick<LineOutlook, 'nickname' | 'share'>[]): string {
  let sum = 0
  let count = 0
  for (const { share } of lines) {
    if (share === null || sum >= most) break
    sum += share
    count++
  }
  const [first, second] = lines
  if (count === 0 || !first) return formatCounted(lines.length, 'service line')
  const percent = `${formatPercent(sum * 100)} of it`
  if (count === 1) return `${first.nickname} causes ${percent}`
  if (count === 2) return `${first.nickname} and ${second?.nickname} cause ${percent}`
  return `${first.nickname} and ${formatCount(count - 1)} more lines cause ${percent}`
}
