import { type QueryClient, queryOptions } from '@tanstack/react-query'

/** How often the stream has announced events. Lists of events load the new ones when it changes. */
export const announcedQuery = queryOptions({
  queryKey: ['events', 'announced'],
  queryFn: () => 0,
  initialData: 0,
  staleTime: Number.POSITIVE_INFINITY,
})

export const announceEvents = (queries: QueryClient) =>
  queries.setQueryData(announcedQuery.queryKey, (count) => (count ?? 0) + 1)
