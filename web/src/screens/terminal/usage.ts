import { formatExactGb } from '#contract/format/units.ts'
import type { DailyUsage, TerminalDetail } from '#contract/terminal-detail.ts'

export interface UsageAgainstLimit {
  usedGb: number | null
  limitGb: number | null
}

/** The line's own usage; undefined when it is unknown. */
export const getLineUsage = ({ monthlyUsage }: Pick<TerminalDetail, 'monthlyUsage'>): UsageAgainstLimit | undefined =>
  monthlyUsage ? { usedGb: monthlyUsage.priority_GB, limitGb: monthlyUsage.usage_limit_GB } : undefined

/** The usage of the line's pool; undefined if it has none. */
export const getPoolUsage = ({
  virtualPlanInfo,
}: Pick<TerminalDetail, 'virtualPlanInfo'>): UsageAgainstLimit | undefined =>
  virtualPlanInfo
    ? { usedGb: virtualPlanInfo.virtualPoolUsage, limitGb: virtualPlanInfo.virtualPoolUsageLimit }
    : undefined

/** Of the pool, if the line has one: its lines share the remaining data. Null if unknown. */
export const findDataLeft = (detail: Pick<TerminalDetail, 'monthlyUsage' | 'virtualPlanInfo'>) => {
  const pool = getPoolUsage(detail)
  const { usedGb, limitGb } = pool ?? getLineUsage(detail) ?? { usedGb: null, limitGb: null }
  return {
    label: pool ? 'Left in pool' : 'Data left',
    leftGb: limitGb === null || limitGb <= 0 || usedGb === null ? null : Math.max(0, limitGb - usedGb),
  }
}

/** In percent; 0 without a positive limit, null if the usage is unknown. */
export const computePercentConsumed = ({ usedGb, limitGb }: UsageAgainstLimit) => {
  if (limitGb === null || limitGb <= 0) return 0
  return usedGb === null ? null : (usedGb / limitGb) * 100
}

export const formatKnownGb = (gb: number | null | undefined) =>
  gb === null || gb === undefined ? 'N/A' : formatExactGb(gb)

/** The current month in UTC, '2026-11'. */
export const toMonth = (now: Date) => now.toISOString().slice(0, 7)

const shift = (month: string, by: number) => {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7)
}

/** The chosen month with the previous and the next one, from January of this year to the current month. */
export function monthTabs(chosen: string, present: string) {
  const january = `${present.slice(0, 4)}-01`
  return [shift(chosen, -1), chosen, shift(chosen, 1)].filter((month) => month >= january && month <= present)
}

/** The month in the URL if it has a tab, otherwise the current one. */
export const chooseShownMonth = (wanted: string | undefined, present: string) =>
  wanted !== undefined && monthTabs(wanted, present).includes(wanted) ? wanted : present

export const filterDays = (usage: readonly DailyUsage[], month: string) =>
  usage.filter(({ date }) => date.startsWith(`${month}-`))

export const sumGb = (days: readonly DailyUsage[]) =>
  days.reduce((sum, { priorityGB, standardGB }) => sum + priorityGB + standardGB, 0)

export const dayCount = (month: string) => {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 0)).getUTCDate()
}

export type CycleEdge = 'start' | 'end' | 'inside'

/**
 * The position of a day in the billing cycle, whose end is the first day of the next one; undefined outside of
 * it.
 */
export function findCycleEdge(day: string, cycle: { start: string; end: string } | undefined): CycleEdge | undefined {
  if (!cycle || day < cycle.start || day > cycle.end) return undefined
  if (day === cycle.start) return 'start'
  return day === cycle.end ? 'end' : 'inside'
}
