import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { ApiError } from '#contract/errors.ts'
import { Past } from '#contract/past.ts'
import { type TerminalListItem, terminals } from '#contract/terminals.ts'
import { request } from '../../api.ts'
import { isOutOfContact, waitUntilOverdue } from '../../cached-call.ts'
import { recordLostContact } from '../../contact.ts'
import { cacheResponse, findCachedResponse, findSessionId } from '../../response-cache.ts'
import { replayBacklog } from './event-backlog.ts'
import { type Details, type Fleet, sortByName } from './fleet.ts'
import { readDetailsItem, readListItem } from './read-terminal.ts'

/** Caching a longer list takes more time than it saves. */
const maxCachedTerminals = 5000
/** An older list is mostly outdated, and shown only if the current one does not load. */
const maxPreviewAgeMs = 60 * 60_000

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
  if (at === undefined && data.length <= maxCachedTerminals) void cacheResponse(route.path, session, { ...body, data })
  return readFleet({ ...body, data }, read)
}

/** The list; if the server is unreachable, that of the last visit. */
async function loadOrCached<Item extends TerminalListItem, Wire extends { id: string }>(
  route: typeof terminals.list | typeof terminals.details,
  read: (wire: Wire) => Item,
  { client, queryKey, signal }: { client: QueryClient; queryKey: readonly unknown[]; signal: AbortSignal },
): Promise<Fleet<Item>> {
  try {
    return replayBacklog(await load(route, read, signal), read)
  } catch (error) {
    const held = client.getQueryData<Fleet<Item>>(queryKey)
    // A list that the stream has updated is newer than the cached one.
    const isFollowed = held !== undefined && held.asOfMs === undefined
    const cached =
      isFollowed || !isOutOfContact(error) ? undefined : (held ?? (await findCachedFleet(route.path, read)))
    if (!cached) throw error
    recordLostContact()
    return cached
  }
}

async function findCachedFleet<Item extends TerminalListItem, Wire>(
  path: string,
  read: (wire: Wire) => Item,
): Promise<(Fleet<Item> & { asOfMs: number }) | undefined> {
  const cached = await findCachedResponse<ListBody<Wire>>(path)
  return cached && { ...readFleet(cached.body, read), asOfMs: cached.cachedAtMs }
}

/** Caches the lists with the changes from the stream. */
export function cacheLists(queries: QueryClient, asOfMs: number) {
  for (const [{ queryKey }, { path }] of [
    [fleetQuery, terminals.list],
    [detailsQuery, terminals.details],
  ] as const) {
    const fleet = queries.getQueryData<Fleet>(queryKey)
    if (!fleet || fleet.asOfMs !== undefined || fleet.terminals.length > maxCachedTerminals) continue
    const { terminals: data, revision, halfHour } = fleet
    void cacheResponse(path, findSessionId(), { data, revision, halfHour }, asOfMs)
  }
}

// The stream sends changes, and a list that missed some is refetched. Events that arrived during loading are replayed.
export const fleetQuery = queryOptions({
  queryKey: ['fleet'],
  queryFn: (context): Promise<Fleet> => loadOrCached(terminals.list, readListItem, context),
  staleTime: Number.POSITIVE_INFINITY,
})

export const detailsQuery = queryOptions({
  queryKey: ['fleet details'],
  queryFn: (context): Promise<Details> => loadOrCached(terminals.details, readDetailsItem, context),
  staleTime: Number.POSITIVE_INFINITY,
})

// The past does not change. While another time is loading, the previous one stays on the screen.
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

/** Shows the cached list of the last visit, with its age, until the current one has loaded. */
async function showCachedList<Item extends TerminalListItem, Wire>(
  queries: QueryClient,
  { queryKey }: { queryKey: readonly unknown[] },
  path: string,
  read: (wire: Wire) => Item,
) {
  const fleet = await findCachedFleet(path, read)
  if (fleet && Date.now() - fleet.asOfMs > maxPreviewAgeMs) await waitUntilOverdue()
  if (!fleet || findSessionId() === undefined || queries.getQueryData(queryKey)) return
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
