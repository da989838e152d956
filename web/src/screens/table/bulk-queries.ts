import { queryOptions } from '@tanstack/react-query'
import { bulk } from '#contract/bulk.ts'
import { call } from '../../api.ts'

const PROGRESS_MS = 1_000
const LIST_MS = 5_000

export const bulkListKey = ['bulk changes']

/** The user's latest bulk changes, newest first. */
export const bulkListQuery = queryOptions({
  queryKey: bulkListKey,
  queryFn: async ({ signal }) => (await call(bulk.list, {}, signal)).changes,
  refetchInterval: ({ state }) => (state.data?.some((change) => change.state === 'running') ? LIST_MS : false),
})

/** The progress of a change, with its lines. */
export const bulkQuery = (id: string) =>
  queryOptions({
    queryKey: ['bulk change', id],
    queryFn: ({ signal }) => call(bulk.get, { id }, signal),
    refetchInterval: ({ state }) => (!state.data || state.data.state === 'running' ? PROGRESS_MS : false),
  })
