import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { audit } from '#contract/audit.ts'
import { call } from '../../api.ts'
import type { LogFilter } from './log-filter.ts'

const parseLocalTime = (local: string | undefined) => {
  const moment = local === undefined ? undefined : new Date(local)
  return moment && !Number.isNaN(moment.getTime()) ? moment : undefined
}

/** The filter as query parameters of the API. */
export const toQuery = ({ person, action, from, until }: LogFilter) => ({
  ...(person && { person }),
  ...(action && { action }),
  ...(parseLocalTime(from) && { from: parseLocalTime(from) }),
  ...(parseLocalTime(until) && { until: parseLocalTime(until) }),
})

const pageSize = 100

/** Page after page, each requested by the last entry of the previous one. */
export const logsQuery = (filter: LogFilter) =>
  infiniteQueryOptions({
    queryKey: ['logs', filter],
    queryFn: ({ pageParam, signal }) =>
      call(audit.logs, { ...toQuery(filter), limit: pageSize, ...(pageParam && { before: pageParam }) }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => (page.length === pageSize ? page.at(-1)?.id : undefined),
  })

export const choicesQuery = queryOptions({
  queryKey: ['logs', 'choices'],
  queryFn: ({ signal }) => call(audit.choices, {}, signal),
})
