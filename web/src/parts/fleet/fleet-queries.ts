import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { ApiError } from '#contract/errors.ts'
import { type TerminalListItem, terminals } from '#contract/terminals.ts'
import { request } from '../../api.ts'
import { cacheList, findCachedList, findSessionId } from '../../list-cache.ts'
import { replayBacklog } from './event-backlog.ts'
import { type Details, type Fleet, sortByName } from './fleet.ts'
import { readDetailsItem, readListItem } from './read-terminal.ts'

interface ListBody<Wire> {
  data: Wire[]
  revision?: string
}

const readFleet = <Item extends TerminalListItem, Wire>(
  { data, revision }: ListBody<Wire>,
  read: (wire: Wire) => Item,
): Fleet<Item> => ({ revision, terminals: sortByName(data.map(read)), changedAtMs: new Map() })

async function load<Item extends TerminalListItem, Wire>(
  route: typeof terminals.list | typeof terminals.details,
  read: (wire: Wire) => Item,
  signal: AbortSignal,
): Promise<Fleet<Item>> {
  const session = findSessionId()
  const response = await request(route, {}, signal)
  const body: Partial<ListBody<Wire>> = await response.json()
  const { data } = body
  if (!Array.isArray(data)) throw new ApiError(502, 'unreadable', 'An error occurred. Please try again.')
  void cacheList(route.path, session, { ...body, data })
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
