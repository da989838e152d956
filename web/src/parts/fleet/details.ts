import { queryOptions } from '@tanstack/react-query'
import { type TerminalDetailsItem, terminals } from '#contract/terminals.ts'
import { call } from '../../api.ts'
import { byName } from './fleet.ts'

export interface Details {
  revision: string | undefined
  /** Sorted by the name people gave. */
  terminals: readonly TerminalDetailsItem[]
  /** When a row last changed under the eyes of the reader, in milliseconds. */
  changedAtMs: ReadonlyMap<string, number>
}

export const detailsQuery = queryOptions({
  queryKey: ['fleet details'],
  queryFn: async ({ signal }): Promise<Details> => {
    const { data, revision } = await call(terminals.details, {}, signal)
    return { revision, terminals: byName(data), changedAtMs: new Map() }
  },
  staleTime: Number.POSITIVE_INFINITY,
})
