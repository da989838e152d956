import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type NewSchedule, type ReportSchedule, reports } from '#contract/reports.ts'
import { call, getErrorMessage, request } from '../../api.ts'
import { useChangeWithNotice } from '../../parts/use-change-with-notice.ts'
import { notice } from '../../ui/notice.ts'
import { saveFile } from '../../ui/save-file.ts'

export const reportsQuery = infiniteQueryOptions({
  queryKey: ['reports'],
  queryFn: ({ pageParam, signal }) => call(reports.list, pageParam === undefined ? {} : { before: pageParam }, signal),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ reports: rows, hasMore }) => (hasMore ? rows.at(-1)?.id : undefined),
})

export const reportQuery = (id: string) =>
  queryOptions({
    queryKey: ['reports', id],
    queryFn: ({ signal }) => call(reports.get, { id }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const schedulesQuery = queryOptions({
  queryKey: ['report schedules'],
  queryFn: ({ signal }) => call(reports.schedules, {}, signal),
  // Polls often while a report is being created.
  refetchInterval: ({ state }) => (state.data?.schedules.some(({ isRequested }) => isRequested) ? 2_000 : 60_000),
})

export const previewQuery = ({ group, period, timeZone }: Pick<ReportSchedule, 'group' | 'period' | 'timeZone'>) =>
  queryOptions({
    queryKey: ['report preview', group, period, timeZone],
    queryFn: ({ signal }) => call(reports.preview, { period, timeZone, ...(group !== null && { group }) }, signal),
  })

const shownBy = ['reports', 'report schedules']

export const useSaveSchedule = (id: string | undefined) =>
  useChangeWithNotice(
    async (schedule: NewSchedule) => {
      await (id === undefined
        ? call(reports.createSchedule, schedule)
        : call(reports.changeSchedule, { id, ...schedule }))
    },
    { done: id === undefined ? 'The reports are scheduled.' : 'The schedule is saved.', shownBy },
  )

export const useDeleteSchedule = () =>
  useChangeWithNotice((id: string) => call(reports.deleteSchedule, { id }), {
    done: 'The schedule is deleted.',
    shownBy,
  })

export const useSendNow = () =>
  useChangeWithNotice((id: string) => call(reports.sendNow, { id }), { done: 'The report is being sent.', shownBy })

export async function download(id: string, kind: 'pdf' | 'csv') {
  try {
    const response = await request(reports[kind], { id })
    const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
    saveFile(await response.blob(), name ?? `report.${kind}`)
  } catch (error) {
    notice.error(`The report could not be downloaded: ${getErrorMessage(error)}`)
  }
}
