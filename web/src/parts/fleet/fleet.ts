import { buildNaturalKey, compareKeys } from '#contract/format/natural-order.ts'
import type { Past } from '#contract/past.ts'
import type { TerminalDetailsItem, TerminalListItem } from '#contract/terminals.ts'

export interface Fleet<Item extends TerminalListItem = TerminalListItem> {
  revision: string | undefined
  /** The half hour that the heartbeats of the terminals end with; undefined for the past. */
  halfHour?: number | undefined
  /** Sorted by display name. */
  terminals: readonly Item[]
  /** When a row last changed on the screen. */
  changedAtMs: ReadonlyMap<string, number>
  /** When a list from the cache was loaded. */
  asOfMs?: number
  /** Set for a list of the past. */
  past?: Past
}
export type Details = Fleet<TerminalDetailsItem>

export const getDisplayName = (terminal: Pick<TerminalListItem, 'customname' | 'nickname'>) =>
  terminal.customname || terminal.nickname

export const sortByName = <Item extends TerminalListItem>(list: readonly Item[]): Item[] =>
  list
    .map((terminal) => ({ terminal, key: buildNaturalKey(getDisplayName(terminal)) }))
    .sort((a, b) => compareKeys(a.key, b.key) || compareKeys(a.terminal.id, b.terminal.id))
    .map(({ terminal }) => terminal)
