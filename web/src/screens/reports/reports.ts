import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type NewSchedule, type ReportSchedule, reports } from '#contract/reports.ts'
import { users } from '#contract/users.ts'
import { call, getErrorMessage, request } from '../../api.ts'
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
  // While a report is being made, the page shows when it is done.
  refetchInterval: ({ state }) => (state.data?.schedules.some(({ isRequested }) => isRequested) ? 2_000 : 60_000),
})

export const previewQuery = ({ group, period, timeZone }: Pick<ReportSchedule, 'group' | 'period' | 'timeZone'>) =>
  queryOptions({
    queryKey: ['report preview', group, period, timeZone],
    queryFn: ({ signal }) => call(reports.preview, { period, timeZone, ...(group !== null && { group }) }, signal),
  })

export const groupsQuery = queryOptions({
  queryKey: ['groups'],
  queryFn: ({ signal }) => call(users.groups, {}, signal).then(({ groups }) => groups),
})

export const recipientsQuery = queryOptions({
  queryKey: ['users'],
  queryFn: ({ signal }) => call(users.list, {}, signal),
})

const useChange = <Input, Output>(change: (input: Input) => Promise<Output>, done: string) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      notice.success(done)
      await Promise.all(['reports', 'report schedules'].map((key) => queries.invalidateQueries({ queryKey: [key] })))
    },
    onError: (error: Error) => notice.error(getErrorMessage(error)),
  })
}

export const useSaveSchedule = (id: string | undefined) =>
  useChange(
    async (schedule: NewSchedule) => {
      await (id === undefined
        ? call(reports.createSchedule, schedule)
        : call(reports.changeSchedule, { id, ...schedule }))
    },
    id === undefined ? 'The reports are scheduled.' : 'The schedule is saved.',
  )

export const useDeleteSchedule = () =>
  useChange((id: string) => call(reports.deleteSchedule, { id }), 'The schedule is deleted.')

export const useSendNow = () => useChange((id: string) => call(reports.sendNow, { id }), 'The report is being sent.')

export async function download(id: string, kind: 'pdf' | 'csv') {
  try {
    const response = await request(reports[kind], { id })
    const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
    saveFile(await response.blob(), name ?? `report.${kind}`)
  } catch (error) {
    notice.error(`The report could not be downloaded: ${getErrorMessage(error)}`)
  }
}
