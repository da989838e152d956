import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { audit } from '#contract/audit.ts'
import { call } from '../../api.ts'
import type { LogFilter } from './log-filter.ts'

const momentOf = (local: string | undefined) => {
  const moment = local === undefined ? undefined : new Date(local)
  return moment && !Number.isNaN(moment.getTime()) ? moment : undefined
}

/** The filter as the server takes it. */
export const asked = ({ person, action, from, until }: LogFilter) => ({
  ...(person && { person }),
  ...(action && { action }),
  ...(momentOf(from) && { from: momentOf(from) }),
  ...(momentOf(until) && { until: momentOf(until) }),
})

const pageSize = 100

/** Page after page, each asked for by the last entry of the one before. */
export const logsQuery = (filter: LogFilter) =>
  infiniteQueryOptions({
    queryKey: ['logs', filter],
    queryFn: ({ pageParam, signal }) =>
      call(audit.logs, { ...asked(filter), limit: pageSize, ...(pageParam && { before: pageParam }) }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => (page.length === pageSize ? page.at(-1)?.id : undefined),
  })

export const choicesQuery = queryOptions({
  queryKey: ['logs', 'choices'],
  queryFn: ({ signal }) => call(audit.choices, {}, signal),
})
