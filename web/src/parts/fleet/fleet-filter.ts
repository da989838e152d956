import * as z from 'zod/mini'
import type { TerminalListItem } from '#contract/terminals.ts'
import type { RowSearch } from '../../ui/row-search.ts'
import { type ShownStatus, shownStatus, shownStatuses } from '../status.ts'
import type { FleetSearch } from './use-search-terms.ts'

const optionalText = z.catch(z.optional(z.coerce.string()), undefined)

/** The part of the URL that selects terminals; invalid values are ignored. */
export const FleetFilter = z.object({
  status: z.catch(z.optional(z.enum(shownStatuses)), undefined),
  alert: optionalText,
  q: optionalText,
  /** The saved view that was opened. */
  saved: optionalText,
})
export type FleetFilter = z.output<typeof FleetFilter>

export const noFilter: Pick<FleetFilter, 'status' | 'alert' | 'q'> = {
  status: undefined,
  alert: undefined,
  q: undefined,
}

export function countByStatus(terminals: readonly TerminalListItem[]) {
  const counts: Record<ShownStatus, number> = { online: 0, offline: 0, 'no data': 0, disabled: 0 }
  for (const terminal of terminals) counts[shownStatus(terminal)]++
  return counts
}

export interface AlertCounts {
  /** How many terminals have any alert. */
  terminals: number
  /** By name, most frequent first. */
  byName: [alert: string, terminals: number][]
}

export function countAlerts(terminals: readonly TerminalListItem[]): AlertCounts {
  const counts = new Map<string, number>()
  let withAny = 0
  for (const { alerts } of terminals) {
    if (alerts.length === 0) continue
    withAny++
    for (const alert of new Set(alerts)) counts.set(alert, (counts.get(alert) ?? 0) + 1)
  }
  return { terminals: withAny, byName: [...counts].sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1)) }
}

/** Which terminals are shown: the badges and the search. */
export interface FleetSelection extends Pick<FleetFilter, 'status' | 'alert'>, FleetSearch {}

/** Search text is literal, in any field, ignoring case. When all match, the same array is returned. */
export function filterFleet<Item extends TerminalListItem>(
  terminals: readonly Item[],
  { status, alert, text, matches }: FleetSelection,
  search: RowSearch<Item>,
): readonly Item[] {
  const found = text ? search.find(terminals, text) : terminals
  if (status === undefined && alert === undefined && !matches) return found
  const matching = found.filter(
    (terminal) =>
      (status === undefined || shownStatus(terminal) === status) &&
      (alert === undefined || terminal.alerts.includes(alert)) &&
      (!matches || matches(terminal)),
  )
  return matching.length === terminals.length ? terminals : matching
}
