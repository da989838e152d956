import * as z from 'zod/mini'
import type { TerminalListItem } from '#contract/terminals.ts'
import { type ShownStatus, shownStatus, shownStatuses, statusLabels } from '../../parts/status.ts'

/** The part of the address that decides what the dashboard shows; what does not fit is left out. */
export const FleetFilter = z.object({
  status: z.catch(z.optional(z.enum(shownStatuses)), undefined),
  q: z.catch(z.optional(z.coerce.string()), undefined),
})
export type FleetFilter = z.output<typeof FleetFilter>

export function countByStatus(terminals: readonly TerminalListItem[]) {
  const counts: Record<ShownStatus, number> = { online: 0, offline: 0, 'no data': 0, disabled: 0 }
  for (const terminal of terminals) counts[shownStatus(terminal)]++
  return counts
}

/** A search is literal text, in any case of letters, in any field that people can see. */
export function filterFleet(terminals: readonly TerminalListItem[], { status, q }: FleetFilter) {
  const wanted = q?.trim().toLowerCase() ?? ''
  return terminals.filter(
    (terminal) =>
      (status === undefined || shownStatus(terminal) === status) &&
      (wanted === '' || searchable(terminal).includes(wanted)),
  )
}

const remembered = new WeakMap<TerminalListItem, string>()

function searchable(terminal: TerminalListItem) {
  const known = remembered.get(terminal)
  if (known !== undefined) return known
  const { customname, nickname, serviceLine, deviceID, street, city, state, alerts, isMobile } = terminal
  const place = [city, state].filter(Boolean).join(', ')
  const fields = [customname, nickname, serviceLine, deviceID, street, place, ...alerts, isMobile && 'Mobile']
  // A line break keeps a search from matching the end of one field and the beginning of the next.
  const text = [...fields, statusLabels[shownStatus(terminal)]].filter(Boolean).join('\n').toLowerCase()
  remembered.set(terminal, text)
  return text
}
