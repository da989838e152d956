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

// The stream brings changes; whoever missed some asks again. What it told while the list was on its way is put in.
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

/** Until the list comes, the one of the last visit stands there with its age. */
async function showCachedList<Item extends TerminalListItem, Wire>(
  queries: QueryClient,
  { queryKey }: { queryKey: readonly unknown[] },
  path: string,
  read: (wire: Wire) => Item,
) {
  const kept = await findCachedList<ListBody<Wire>>(path)
  if (!kept || queries.getQueryData(queryKey)) return
  const fleet: Fleet<Item> = { ...readFleet(kept.body, read), asOfMs: kept.cachedAtMs }
  const query = queries.getQueryCache().find({ queryKey })
  // A failure that was there first stays; setting data the usual way would declare it over.
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
