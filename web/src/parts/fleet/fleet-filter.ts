import * as z from 'zod/mini'
import type { TerminalDetailsItem, TerminalListItem } from '#contract/terminals.ts'
import { type ShownStatus, shownStatus, shownStatuses, statusLabels } from '../status.ts'

const text = z.catch(z.optional(z.coerce.string()), undefined)

/** The part of the address that decides which terminals are shown; what does not fit is left out. */
export const FleetFilter = z.object({
  status: z.catch(z.optional(z.enum(shownStatuses)), undefined),
  alert: text,
  q: text,
})
export type FleetFilter = z.output<typeof FleetFilter>

export function countByStatus(terminals: readonly TerminalListItem[]) {
  const counts: Record<ShownStatus, number> = { online: 0, offline: 0, 'no data': 0, disabled: 0 }
  for (const terminal of terminals) counts[shownStatus(terminal)]++
  return counts
}

export interface AlertCounts {
  /** Terminals that have any. */
  terminals: number
  /** By name, the most frequent first. */
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

/** A search is literal text, in any case of letters, in any field. Where all match, it is the very list that came. */
export function filterFleet<Item extends TerminalListItem>(
  terminals: readonly Item[],
  filter: FleetFilter,
): readonly Item[] {
  const { status, alert, q } = filter
  const wanted = fold(q ?? '')
  const texts = preparedTexts.get(terminals)
  const matching = terminals.filter(
    (terminal, at) =>
      (status === undefined || shownStatus(terminal) === status) &&
      (alert === undefined || terminal.alerts.includes(alert)) &&
      (wanted === '' || (texts?.[at] ?? searchable(terminal)).includes(wanted)),
  )
  return matching.length === terminals.length ? terminals : matching
}

// Some small letters (ẖ) have no large one of their own: only by way of the large ones do both spellings meet. A sigma at
// the end of a word has a letter of its own, which a search for the middle of a word would miss.
const fold = (value: string) =>
  ascii.test(value) ? value.toLowerCase() : value.toUpperCase().toLowerCase().replaceAll('ς', 'σ')
const ascii = /^[\n -~]*$/

const remembered = new WeakMap<TerminalListItem, string>()

/** The text that is searched, made once for each state of a terminal. */
export function searchable(terminal: TerminalListItem) {
  const known = remembered.get(terminal)
  if (known !== undefined) return known
  // A line break keeps a search from matching the end of one field and the beginning of the next.
  const made = fold(fieldsOf(terminal).join('\n'))
  remembered.set(terminal, made)
  return made
}

const terminalsAtATime = 200
const preparedTexts = new WeakMap<readonly TerminalListItem[], readonly string[]>()

/**
 * Makes the texts of a large fleet while nobody waits for them, so that the first letter of a search is as quick as the
 * others; until `signal` aborts.
 */
export function prepareSearch(terminals: readonly TerminalListItem[], signal: AbortSignal) {
  const texts: string[] = []
  const proceed = (hasTime: () => boolean) => {
    if (signal.aborted) return
    do {
      for (const terminal of terminals.slice(texts.length, texts.length + terminalsAtATime))
        texts.push(searchable(terminal))
    } while (texts.length < terminals.length && hasTime())
    if (texts.length < terminals.length) whenIdle(proceed)
    else preparedTexts.set(terminals, texts)
  }
  whenIdle(proceed)
}

export const isPrepared = (terminals: readonly TerminalListItem[]) => preparedTexts.has(terminals)

const whenIdle = (work: (hasTime: () => boolean) => void) => {
  if ('requestIdleCallback' in globalThis) requestIdleCallback((deadline) => work(() => deadline.timeRemaining() > 2))
  else setTimeout(work, 20, () => false)
}

type Field = string | number | false | null | undefined

function fieldsOf(terminal: TerminalListItem) {
  const { customname, nickname, serviceLine, deviceID, street, city, state, coordinates, alerts, isMobile } = terminal
  const fields: Field[] = [customname, nickname, serviceLine, deviceID, street, city, state, ...alerts]
  fields.push(city && state && `${city}, ${state}`, coordinates?.join(', '), isMobile && 'Mobile')
  fields.push(statusLabels[shownStatus(terminal)], terminal.status)
  if ('kitnumber' in terminal) fields.push(...detailFieldsOf(terminal as TerminalDetailsItem))
  return fields.filter((field) => field !== null && field !== undefined && field !== false && field !== '')
}

const detailFieldsOf = (item: TerminalDetailsItem): Field[] => [
  item.kitnumber,
  item.serviceName,
  item.virtual_plan_name,
  item.opt_in_product_id,
  item.ipv4,
  item.ipv6_ue,
  item.ipv6_cpe,
  item.priority_GB,
  item.standard_GB,
  item.usage_limit_GB,
  item.pool_current_usage,
  item.pool_usage_limit,
  item.obstruction,
  item.pingdrop,
  item.latency,
  item.uplink,
  item.downlink,
  item.clients,
  item.metadata1,
  item.metadata2,
  item.metadata3,
  ...item.data_blocks.map(({ dataBlockType }) => dataBlockType),
]
