import { findLastChangeMs, HALF_HOURS, readHeartbeat } from '#contract/heartbeat.ts'
import type { ListOrder } from '#contract/list-order.ts'
import type { TerminalListItem } from '#contract/terminals.ts'
import { type ShownStatus, shownStatus } from '../status.ts'

const ranks: Record<ShownStatus, number> = { offline: 0, 'no data': 1, disabled: 3, online: 4 }
const ALERT_RANK = 2

const rank = (terminal: TerminalListItem) => {
  const status = shownStatus(terminal)
  return status === 'online' && terminal.alerts.length > 0 ? ALERT_RANK : ranks[status]
}

/** Whether a terminal is down or reports an alert. A disabled one is so on purpose. */
export const needsAttention = (terminal: TerminalListItem) => rank(terminal) <= ALERT_RANK

/** Memoized, because most terminals of a large fleet have the same text. */
const createReader = (read: (text: string) => number) => {
  const known = new Map<string, number>()
  return ({ h }: TerminalListItem) => {
    if (!h) return 0
    const value = known.get(h) ?? read(h)
    known.set(h, value)
    return value
  }
}

/** Partly down half hours count less than any half hour that was down. */
const countDown = (text: string, last: number) =>
  readHeartbeat(text, last).reduce(
    (sum, state) => sum + (state === 'down' ? HALF_HOURS + 1 : state === 'partly down' ? 1 : 0),
    0,
  )
const MAX_DOWN = HALF_HOURS * (HALF_HOURS + 1)

const MAX_TERMINALS = 2 ** 21

/** By ascending integer keys. Sorting numbers that include the position takes a tenth of the time of sorting objects. */
const sortByKey = <Item>(terminals: readonly Item[], getKey: (terminal: Item) => number): Item[] => {
  const keys = new Float64Array(terminals.length)
  for (const [index, terminal] of terminals.entries()) keys[index] = getKey(terminal) * MAX_TERMINALS + index
  keys.sort()
  const sorted: Item[] = []
  for (const key of keys) sorted.push(terminals[key % MAX_TERMINALS] as Item)
  return sorted
}

const LATEST_MINUTE = 2 ** 31

/** Terminals that compare equal stay sorted by name. */
export function orderFleet<Item extends TerminalListItem>(
  terminals: readonly Item[],
  order: ListOrder,
  halfHour: number | undefined,
): readonly Item[] {
  if (order === 'name') return terminals
  const last = halfHour ?? 0
  if (order === 'worst') {
    const down = createReader((text) => countDown(text, last))
    return sortByKey(terminals, (terminal) => rank(terminal) * (MAX_DOWN + 1) + MAX_DOWN - down(terminal))
  }
  const changedMinute = createReader((text) => (findLastChangeMs(text, last) ?? 0) / 60_000)
  return sortByKey(terminals, (terminal) => LATEST_MINUTE - changedMinute(terminal))
}
