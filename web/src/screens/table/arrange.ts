import type { TerminalDetailsItem } from '#contract/terminals.ts'
import { type FleetFilter, filterFleet } from '../../parts/fleet/fleet-filter.ts'
import { type Sort, sortRows } from '../../ui/table-rows.ts'
import { fleetColumns, tableSearch } from './columns.ts'

export const defaultSort: Sort = { key: 'name', descending: false }

/** The matching rows, sorted by the chosen column. The input is sorted by name. */
export function arrangeRows(rows: readonly TerminalDetailsItem[], filter: FleetFilter, sort: Sort) {
  const matching = filterFleet(rows, filter, tableSearch)
  if (sort.key === defaultSort.key) return sort.descending ? matching.toReversed() : matching
  const column = fleetColumns.find(({ key }) => key === sort.key)
  return column ? sortRows(matching, column.value, sort.descending) : matching
}
