import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { PeriodMin } from '#contract/period.ts'
import type { TerminalData, TerminalDetail } from '#contract/terminal-detail.ts'
import { getErrorMessage } from '../../api.ts'
import type { Compared } from '../../parts/charts/chart-data.ts'
import { getDisplayName } from '../../parts/fleet/fleet.ts'
import { useAt } from '../../past-search.ts'
import { detailQuery } from './detail.ts'

/** The value of `compare` in the URL for the week before; anything else is the nickname of a line. */
export const weekBefore = 'week'

const WEEK_MS = 7 * 86_400_000
const MIN_MS = 60_000

/**
 * The end of the same period a week before, rounded to a 60th of it, so that it is not reloaded with every update of the page.
 */
export function findWeekBefore(periodEnd: Date, period: PeriodMin) {
  const stepMs = period * MIN_MS * (1 / 60)
  return new Date(Math.ceil((periodEnd.getTime() - WEEK_MS) / stepMs) * stepMs).toISOString()
}

const shift = ({ signals, stepS }: TerminalData, byMs: number) => ({
  signals: byMs === 0 ? signals : signals.map((signal) => ({ ...signal, timestamp: signal.timestamp + byMs })),
  stepS,
})

interface Comparison {
  compared: Compared | undefined
  /** Why there is no comparison. */
  problem: string | undefined
}

interface ComparedPage {
  kitnumber: string
  detail: TerminalDetail
  terminal: TerminalData
  period: PeriodMin
  compare: string | undefined
}

/** The charts of the week before, or of another terminal that the user may see. */
export function useComparison({ kitnumber, detail, terminal, period, compare }: ComparedPage): Comparison {
  const at = useAt()
  const isWeek = compare === weekBefore
  const query = useQuery({
    ...(isWeek
      ? detailQuery(kitnumber, period, findWeekBefore(detail.period.to, period))
      : detailQuery(compare ?? '', period, at)),
    enabled: compare !== undefined,
    ...(isWeek && { placeholderData: keepPreviousData, staleTime: Number.POSITIVE_INFINITY }),
  })
  const { data, error } = query
  return useMemo(() => {
    if (compare === undefined) return { compared: undefined, problem: undefined }
    if (!data) return { compared: undefined, problem: error ? getErrorMessage(error) : undefined }
    const terminals = data.terminal_data
    const other = isWeek ? terminals.find(({ deviceid }) => deviceid === terminal.deviceid) : terminals[0]
    if (!other?.signals.length) return { compared: undefined, problem: 'Nothing is recorded to compare with.' }
    const name = isWeek ? 'The week before' : getDisplayName(data.service_line_data)
    return { compared: { name, ...shift(other, isWeek ? WEEK_MS : 0) }, problem: undefined }
  }, [compare, isWeek, data, error, terminal.deviceid])
}
