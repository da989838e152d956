import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { PeriodMin } from '#contract/period.ts'
import { type TerminalDetail, terminalDetail } from '#contract/terminal-detail.ts'
import { call, getErrorMessage } from '../../api.ts'
import { type Cached, callOrCached } from '../../cached-call.ts'
import { getDataSaver } from '../../data-saver.ts'
import { notice } from '../../ui/notice.ts'
import { mayChange } from './receipts.ts'

const watchedMs = 5000
const quietMs = 30_000
const savingMs = 120_000

/** Polls often while a command is pending, otherwise once per expected point of the charts. */
const getPollIntervalMs = ({ receipts, terminal_data }: TerminalDetail, isSaving: boolean) =>
  receipts.some(mayChange)
    ? watchedMs
    : Math.max(isSaving ? savingMs : quietMs, ...terminal_data.map(({ stepS }) => stepS * 1000))

export const detailQuery = (
  kitnumber: string,
  period: PeriodMin,
  at: string | undefined,
  isSaving = getDataSaver().isOn,
) =>
  queryOptions({
    queryKey: ['terminal', kitnumber, period, at, isSaving],
    queryFn: ({ signal }): Promise<TerminalDetail & Cached> =>
      at === undefined
        ? callOrCached(terminalDetail.get, { kitnumber, period, coarse: isSaving || undefined }, signal)
        : call(terminalDetail.get, { kitnumber, period, at: new Date(at) }, signal),
    refetchInterval: ({ state }) => (state.data && at === undefined ? getPollIntervalMs(state.data, isSaving) : false),
    // Selecting a period always reloads it.
    gcTime: 0,
  })

/**
 * Changes the line or one of its terminals. The server's response is shown at once. On failure a notice gives the reason
 * and the page stays unchanged.
 */
export function useDetailChange<Input, Output>(
  kitnumber: string,
  change: (input: Input) => Promise<Output>,
  apply: (detail: TerminalDetail, output: Output) => TerminalDetail,
) {
  const queries = useQueryClient()
  const queryKey = ['terminal', kitnumber]
  return useMutation({
    mutationFn: change,
    onSuccess: async (output) => {
      // A response requested before the change would revert it on the page.
      await queries.cancelQueries({ queryKey })
      queries.setQueriesData<TerminalDetail>({ queryKey }, (detail) => detail && apply(detail, output))
    },
    onError: (error) => {
      console.warn(error)
      notice.error(getErrorMessage(error))
    },
    onSettled: () => {
      void queries.invalidateQueries({ queryKey })
    },
  })
}

export type Line = TerminalDetail['service_line_data']

export const withLine = (detail: TerminalDetail, change: Partial<Line>): TerminalDetail => ({
  ...detail,
  service_line_data: { ...detail.service_line_data, ...change },
})
