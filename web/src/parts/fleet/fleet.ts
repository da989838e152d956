import { queryOptions } from '@tanstack/react-query'
import { type LiveEvent, type TerminalListItem, terminals } from '#contract/terminals.ts'
import { call } from '../../api.ts'
import { compareKeys, naturalKey } from '../../ui/natural-order.ts'
import { shownStatus } from '../status.ts'

export interface Fleet {
  revision: string | undefined
  /** Sorted by the name people gave. */
  terminals: readonly TerminalListItem[]
  /** When a row last changed under the eyes of the reader, in milliseconds. */
  changedAtMs: ReadonlyMap<string, number>
}

export const fleetQuery = queryOptions({
  queryKey: ['fleet'],
  queryFn: async ({ signal }): Promise<Fleet> => {
    const { data, revision } = await call(terminals.list, {}, signal)
    return { revision, terminals: byName(data), changedAtMs: new Map() }
  },
  // The stream brings changes; whoever missed some asks again.
  staleTime: Number.POSITIVE_INFINITY,
})

export const nameOf = (terminal: Pick<TerminalListItem, 'customname' | 'nickname'>) =>
  terminal.customname || terminal.nickname

export const byName = <Item extends TerminalListItem>(list: readonly Item[]): Item[] =>
  list
    .map((terminal) => ({ terminal, key: naturalKey(nameOf(terminal)) }))
    .sort((a, b) => compareKeys(a.key, b.key) || compareKeys(a.terminal.id, b.terminal.id))
    .map(({ terminal }) => terminal)

/** The fleet after one event of the stream. Rows that did not change keep their identity, so nothing redraws them. */
export function applyEvent(fleet: Fleet, event: LiveEvent, nowMs: number): Fleet {
  if (event.kind === 'feed') return fleet
  if (event.kind === 'removed') {
    const gone = new Set(event.ids)
    return { ...fleet, revision: event.revision, terminals: fleet.terminals.filter(({ id }) => !gone.has(id)) }
  }
  const incoming = new Map(event.terminals.map((terminal) => [terminal.id, terminal]))
  const changedAtMs = new Map(fleet.changedAtMs)
  let mustSort = false
  const list = fleet.terminals.map((before) => {
    const after = incoming.get(before.id)
    if (!after) return before
    incoming.delete(before.id)
    if (nameOf(before) !== nameOf(after)) mustSort = true
    if (looksDifferent(before, after)) changedAtMs.set(after.id, nowMs)
    return after
  })
  for (const terminal of incoming.values()) {
    list.push(terminal)
    changedAtMs.set(terminal.id, nowMs)
    mustSort = true
  }
  return { revision: event.revision, terminals: mustSort ? byName(list) : list, changedAtMs }
}

/** A newer sample alone is no news; every row gets one each quarter of a minute. */
const looksDifferent = (before: TerminalListItem, after: TerminalListItem) =>
  shownStatus(before) !== shownStatus(after) ||
  nameOf(before) !== nameOf(after) ||
  before.alerts.join() !== after.alerts.join()
