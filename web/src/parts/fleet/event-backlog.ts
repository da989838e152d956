import type { TerminalListItem } from '#contract/terminals.ts'
import { applyChanges, type ChangesWire, compareRevision } from './apply-changes.ts'
import type { Fleet } from './fleet.ts'

// A list of 100,000 takes seconds on its way; the stream speaks once a second.
const maxEvents = 64
const backlog: ChangesWire[] = []

/** Keeps what the stream told for lists that are on their way. */
export function addToBacklog(event: ChangesWire) {
  backlog.push(event)
  if (backlog.length > maxEvents) backlog.shift()
}

/** A list that has just come, with what was told while it was on its way. */
export function replayBacklog<Item extends TerminalListItem>(fleet: Fleet<Item>, read: (wire: never) => Item) {
  return backlog.reduce(
    (after, event) =>
      compareRevision(after.revision, event.since, event.revision) === 'follows'
        ? applyChanges(after, event, read, Date.now())
        : after,
    fleet,
  )
}
