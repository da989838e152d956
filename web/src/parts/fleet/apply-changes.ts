import type { TerminalDetailsItem, TerminalListItem } from '#contract/terminals.ts'
import { shownStatus } from '../status.ts'
import { type Fleet, getDisplayName, sortByName } from './fleet.ts'
import { type EventWire, readChange } from './read-terminal.ts'

export type ChangesWire = Extract<EventWire, { kind: 'changes' }>
type WholeWire = ChangesWire['terminals'][number]

const glowMs = 5000

const split = (revision: string) => {
  const [epoch, count] = revision.split('.')
  return { epoch, count: Number(count) }
}

/** Whether a list already contains an event, can continue with it, or has missed something before it. */
export function compareRevision(held: string | undefined, since: string, revision: string): 'known' | 'next' | 'gap' {
  if (held === undefined) return 'gap'
  const [own, from, to] = [split(held), split(since), split(revision)]
  if (own.epoch !== to.epoch) return 'gap'
  if (to.count <= own.count) return 'known'
  return from.count <= own.count ? 'next' : 'gap'
}

/**
 * The fleet after an event that follows its revision. Unchanged rows keep their identity, so React does not render
 * them again.
 */
export function applyChanges<Item extends TerminalListItem>(
  fleet: Fleet<Item>,
  event: ChangesWire,
  read: (wire: never) => Item,
  nowMs: number,
): Fleet<Item> {
  const changes = new Map(event.changes.map((change) => [change.id, change]))
  const whole = new Map(event.terminals.map((wire) => [wire.id, wire]))
  const gone = new Set(event.removed)
  const changedAtMs = new Map([...fleet.changedAtMs].filter(([, at]) => nowMs - at < glowMs))
  let mustSort = false
  const next = (before: Item) => {
    const change = changes.get(before.id)
    if (change) return readChange(before, change)
    const wire = whole.get(before.id)
    return wire ? readWhole(wire, read) : before
  }
  const list: Item[] = []
  for (const before of fleet.terminals) {
    if (gone.has(before.id) && !whole.has(before.id)) continue
    const after = next(before)
    list.push(after)
    if (after === before) continue
    whole.delete(before.id)
    if (getDisplayName(before) !== getDisplayName(after)) mustSort = true
    if (looksDifferent(before, after)) changedAtMs.set(after.id, nowMs)
  }
  for (const wire of whole.values()) {
    list.push(readWhole(wire, read))
    changedAtMs.set(wire.id, nowMs)
    mustSort = true
  }
  const { revision, halfHour = fleet.halfHour } = event
  return { revision, halfHour, terminals: mustSort ? sortByName(list) : list, changedAtMs }
}

const readWhole = <Item>(wire: WholeWire, read: (wire: never) => Item) => read(wire as never)

/** A newer sample alone does not count: every row gets one every 15 s. */
const looksDifferent = (before: TerminalListItem, after: TerminalListItem) =>
  shownStatus(before) !== shownStatus(after) ||
  getDisplayName(before) !== getDisplayName(after) ||
  before.alerts.join() !== after.alerts.join() ||
  ('metadata1' in before && joinMetadata(before as TerminalDetailsItem) !== joinMetadata(after as TerminalDetailsItem))

const joinMetadata = ({ metadata1, metadata2, metadata3 }: TerminalDetailsItem) =>
  [metadata1, metadata2, metadata3].join('\n')
