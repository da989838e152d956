import type { TerminalListItem } from '#contract/terminals.ts'
import { applyChanges, type ChangesWire, compareRevision } from './apply-changes.ts'
import type { Fleet } from './fleet.ts'

// A list of 100,000 terminals takes seconds to load, and the stream sends an event each second.
const maxEvents = 64
const backlog: ChangesWire[] = []

/** Stores an event of the stream for lists that are still loading. */
export function addToBacklog(event: ChangesWire) {
  backlog.push(event)
  if (backlog.length > maxEvents) backlog.shift()
}

/** Applies to a list that has just loaded the events that arrived in the meantime. */
export function replayBacklog<Item extends TerminalListItem>(fleet: Fleet<Item>, read: (wire: never) => Item) {
  return backlog.reduce(
    (after, event) =>
      compareRevision(after.revision, event.since, event.revision) === 'next'
        ? applyChanges(after, event, read, Date.now())
        : after,
    fleet,
  )
}
