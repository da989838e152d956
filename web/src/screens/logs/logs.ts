import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { audit } from '#contract/audit.ts'
import { call } from '../../api.ts'
import { toEventQuery } from '../../parts/event-filter.ts'
import type { LogFilter } from './log-filter.ts'

/** The filter as query parameters of the API. */
export const toQuery = ({ action, ...filter }: LogFilter) => ({ ...toEventQuery(filter), ...(action && { action }) })

const pageSize = 100

/** Paged by cursor: the last entry of the previous page. */
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
