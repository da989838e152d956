import { setImmediate as letOthersRun } from 'node:timers/promises'
import { matchTerminals } from '#contract/match-terminals.ts'
import type { ViewPage, ViewState } from '#contract/saved-views.ts'
import type { TerminalDetailsItem } from '#contract/terminals.ts'

/** A search of the greatest length takes about 10 ms for so many terminals. */
const AT_ONCE = 200

/** As `matchTerminals`, but lets other requests run in between: a search may have many terms, and a fleet many terminals. */
export const matchInTurns = async <Row>(
  rows: readonly Row[],
  toTerminal: (row: Row) => TerminalDetailsItem,
  page: ViewPage,
  state: ViewState,
  nowMs: number,
): Promise<TerminalDetailsItem[]> => {
  const found: TerminalDetailsItem[] = []
  for (let start = 0; start < rows.length; start += AT_ONCE) {
    if (start > 0) await letOthersRun()
    found.push(...matchTerminals(rows.slice(start, start + AT_ONCE).map(toTerminal), page, state, nowMs))
  }
  return found
}
