import type { DataBlock } from '#contract/data-block.ts'
import type { DailyUsage, TerminalDetail } from '#contract/terminal-detail.ts'

export interface UsageAgainstLimit {
  usedGb: number | null
  limitGb: number | null
  isPool: boolean
}

/** The figures of the line's pool, otherwise of the line; undefined when neither is known. */
export function getUsage({ virtualPlanInfo, monthlyUsage }: TerminalDetail): UsageAgainstLimit | undefined {
  if (virtualPlanInfo) {
    const { virtualPoolUsage, virtualPoolUsageLimit } = virtualPlanInfo
    return { usedGb: virtualPoolUsage, limitGb: virtualPoolUsageLimit, isPool: true }
  }
  if (!monthlyUsage) return undefined
  return { usedGb: monthlyUsage.priority_GB, limitGb: monthlyUsage.usage_limit_GB, isPool: false }
}

/** In percent; 0 without a positive limit. */
export const percentConsumed = ({ usedGb, limitGb }: Pick<UsageAgainstLimit, 'usedGb' | 'limitGb'>) =>
  limitGb !== null && limitGb > 0 ? ((usedGb ?? 0) / limitGb) * 100 : 0

const blockLabels: Record<string, string> = {
  IncludedWithBaseSubscription: 'included',
  RecurringPerBillingCycle: 'Recurring',
  OneTimePurchase: 'Top Up',
}

export const blockLabel = ({ dataBlockType }: DataBlock) => blockLabels[dataBlockType] ?? dataBlockType

export const gbText = (gb: number | null | undefined) =>
  gb === null || gb === undefined ? 'N/A' : `${gb.toFixed(2)} GB`

/** The current month in UTC, '2026-11'. */
export const formatMonth = (now: Date) => now.toISOString().slice(0, 7)

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
export const shownMonth = (wanted: string | undefined, present: string) =>
  wanted !== undefined && monthTabs(wanted, present).includes(wanted) ? wanted : present

export const filterDays = (usage: readonly DailyUsage[], month: string) =>
  usage.filter(({ date }) => date.startsWith(`${month}-`))

export const totalGb = (days: readonly DailyUsage[]) =>
  days.reduce((sum, { priorityGB, standardGB }) => sum + priorityGB + standardGB, 0)

export const dayCount = (month: string) => {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 0)).getUTCDate()
}

const monthName = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' })
export const monthLabel = (month: string) => monthName.format(new Date(`${month}-01T00:00:00Z`))
