import { HALF_HOURS, readHeartbeat } from '#contract/heartbeat.ts'
import type { TerminalListItem } from '#contract/terminals.ts'

/**
 * The share of terminals that were up in each of the last 48 half hours, oldest first. A half hour that was partly
 * down counts half. Null where most terminals were not observed: in a half hour that was observed only briefly, only the
 * terminals that were down are known.
 */
export function measureDay(terminals: readonly TerminalListItem[], halfHour: number): (number | null)[] {
  const counts = new Map<string, number>()
  for (const { h } of terminals) if (h) counts.set(h, (counts.get(h) ?? 0) + 1)
  const up = new Array<number>(HALF_HOURS).fill(0)
  const known = new Array<number>(HALF_HOURS).fill(0)
  let total = 0
  for (const [text, count] of counts) {
    const states = readHeartbeat(text, halfHour)
    total += count
    for (const [index, state] of states.entries()) {
      if (state === 'not observed') continue
      known[index] = (known[index] as number) + count
      if (state !== 'down') up[index] = (up[index] as number) + (state === 'up' ? count : count / 2)
    }
  }
  return known.map((all, index) => (all === 0 || 2 * all < total ? null : (up[index] as number) / all))
}
