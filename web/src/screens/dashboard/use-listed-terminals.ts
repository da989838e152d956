import { useDeferredValue, useMemo } from 'react'
import type { ListOrder } from '#contract/list-order.ts'
import type { TerminalListItem } from '#contract/terminals.ts'
import { type FleetFilter, filterFleet } from '../../parts/fleet/fleet-filter.ts'
import { listSearch } from '../../parts/fleet/list-columns.ts'
import { orderFleet } from '../../parts/fleet/list-order.ts'
import { useSearchTerms } from '../../parts/fleet/use-search-terms.ts'
import { useStableRows } from '../../parts/table/use-stable-rows.ts'

const getId = ({ id }: TerminalListItem) => id

/** The terminals that match the filter, by name as on the map, and in the order of the list. */
export function useListedTerminals(
  terminals: readonly TerminalListItem[],
  filter: FleetFilter,
  order: ListOrder,
  halfHour: number | undefined,
) {
  // Deferred, so that typing stays fast in a large fleet.
  const { status, alert, q } = useDeferredValue(filter)
  const search = useSearchTerms(q)
  const matching = useMemo(
    () => filterFleet(terminals, { status, alert, ...search }, listSearch),
    [terminals, status, alert, search],
  )
  // The fleet is already sorted by name, so the longest list needs no sorting.
  const ordered = useMemo(
    () => (order === 'name' ? undefined : orderFleet(matching, order, halfHour)),
    [matching, order, halfHour],
  )
  const { rows, over } = useStableRows(ordered, getId, JSON.stringify([status, alert, q, order]))
  return {
    matching,
    rows: order === 'name' ? matching : (rows ?? matching),
    /** For the element around the list, whose rows do not move while the mouse is over it. */
    over,
    /** What `matching` was filtered by, which lags behind the search box. */
    filter: { status, alert, q },
  }
}
