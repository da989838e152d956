import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { ApiError } from '#contract/errors.ts'
import { Past } from '#contract/past.ts'
import { type TerminalListItem, terminals } from '#contract/terminals.ts'
import { request } from '../../api.ts'
import { cacheList, findCachedList, findSessionId } from '../../list-cache.ts'
import { replayBacklog } from './event-backlog.ts'
import { type Details, type Fleet, sortByName } from './fleet.ts'
import { readDetailsItem, readListItem } from './read-terminal.ts'

interface ListBody<Wire> {
  data: Wire[]
  revision?: string
  halfHour?: number
  past?: unknown
}

const readFleet = <Item extends TerminalListItem, Wire>(
  { data, revision, halfHour, past }: ListBody<Wire>,
  read: (wire: Wire) => Item,
): Fleet<Item> => ({
  revision,
  halfHour,
  terminals: sortByName(data.map(read)),
  changedAtMs: new Map(),
  ...(past !== undefined && { past: z.decode(Past, past as z.input<typeof Past>) }),
})

async function load<Item extends TerminalListItem, Wire>(
  route: typeof terminals.list | typeof terminals.details,
  read: (wire: Wire) => Item,
  signal: AbortSignal,
  at?: string,
): Promise<Fleet<Item>> {
  const session = findSessionId()
  const response = await request(route, at === undefined ? {} : { at: new Date(at) }, signal)
  const body: Partial<ListBody<Wire>> = await response.json()
  const { data } = body
  if (!Array.isArray(data)) throw new ApiError(502, 'unreadable', 'An error occurred. Please try again.')
  if (at === undefined) void cacheList(route.path, session, { ...body, data })
  return readFleet({ ...body, data }, read)
}

// The stream sends changes, and a list that missed some is refetched. Events that arrived during loading are replayed.
export const fleetQuery = queryOptions({
  queryKey: ['fleet'],
  queryFn: async ({ signal }): Promise<Fleet> =>
    replayBacklog(await load(terminals.list, readListItem, signal), readListItem),
  staleTime: Number.POSITIVE_INFINITY,
})

export const detailsQuery = queryOptions({
  queryKey: ['fleet details'],
  queryFn: async ({ signal }): Promise<Details> =>
    replayBacklog(await load(terminals.details, readDetailsItem, signal), readDetailsItem),
  staleTime: Number.POSITIVE_INFINITY,
})

// The past does not change. While the next time is loading, the one before stays on the screen.
const unchanging = { staleTime: Number.POSITIVE_INFINITY, placeholderData: keepPreviousData }

export const pastFleetQuery = (at: string) =>
  queryOptions({
    queryKey: ['past', 'fleet', at],
    queryFn: ({ signal }): Promise<Fleet> => load(terminals.list, readListItem, signal, at),
    ...unchanging,
  })

export const pastDetailsQuery = (at: string) =>
  queryOptions({
    queryKey: ['past', 'details', at],
    queryFn: ({ signal }): Promise<Details> => load(terminals.details, readDetailsItem, signal, at),
    ...unchanging,
  })

/** Shows the cached list of the last visit, with its age, until the new one is loaded. */
async function showCachedList<Item extends TerminalListItem, Wire>(
  queries: QueryClient,
  { queryKey }: { queryKey: readonly unknown[] },
  path: string,
  read: (wire: Wire) => Item,
) {
  const cached = await findCachedList<ListBody<Wire>>(path)
  if (!cached || queries.getQueryData(queryKey)) return
  const fleet: Fleet<Item> = { ...readFleet(cached.body, read), asOfMs: cached.cachedAtMs }
  const query = queries.getQueryCache().find({ queryKey })
  // An earlier failure stays visible; setQueryData would clear it.
  if (query?.state.status === 'error') query.setState({ data: fleet })
  else queries.setQueryData(queryKey, fleet)
}

export function prefetchFleet(queries: QueryClient) {
  void showCachedList(queries, fleetQuery, terminals.list.path, readListItem)
  return queries.prefetchQuery(fleetQuery)
}

export function prefetchDetails(queries: QueryClient) {
  void showCachedList(queries, detailsQuery, terminals.details.path, readDetailsItem)
  return queries.prefetchQuery(detailsQuery)
}
