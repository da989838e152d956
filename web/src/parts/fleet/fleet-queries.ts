import { queryOptions } from '@tanstack/react-query'
import { ApiError } from '#contract/errors.ts'
import { type TerminalListItem, terminals } from '#contract/terminals.ts'
import { open } from '../../api.ts'
import { byName, type Details, type Fleet } from './fleet.ts'
import { replayHeard } from './heard-events.ts'
import { readDetailsItem, readListItem } from './read-terminal.ts'

async function load<Item extends TerminalListItem, Wire>(
  route: typeof terminals.list | typeof terminals.details,
  read: (wire: Wire) => Item,
  signal: AbortSignal,
): Promise<Fleet<Item>> {
  const response = await open(route, {}, signal)
  const body: { data?: Wire[]; revision?: string } = await response.json()
  if (!Array.isArray(body.data)) throw new ApiError(502, 'unreadable', 'An error occurred. Please try again.')
  return { revision: body.revision, terminals: byName(body.data.map(read)), changedAtMs: new Map() }
}

// The stream brings changes; whoever missed some asks again. What it told while the list was on its way is put in.
export const fleetQuery = queryOptions({
  queryKey: ['fleet'],
  queryFn: async ({ signal }): Promise<Fleet> =>
    replayHeard(await load(terminals.list, readListItem, signal), readListItem),
  staleTime: Number.POSITIVE_INFINITY,
})

export const detailsQuery = queryOptions({
  queryKey: ['fleet details'],
  queryFn: async ({ signal }): Promise<Details> =>
    replayHeard(await load(terminals.details, readDetailsItem, signal), readDetailsItem),
  staleTime: Number.POSITIVE_INFINITY,
})
