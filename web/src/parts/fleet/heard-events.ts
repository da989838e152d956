import type { TerminalListItem } from '#contract/terminals.ts'
import { applyChanges, type ChangesWire, standingOf } from './apply-changes.ts'
import type { Fleet } from './fleet.ts'

// A list of 100,000 takes seconds on its way; the stream speaks once a second.
const eventsKept = 64
const heard: ChangesWire[] = []

/** Keeps what the stream told for lists that are on their way. */
export function keepHeard(event: ChangesWire) {
  heard.push(event)
  if (heard.length > eventsKept) heard.shift()
}

/** A list that has just come, with what was told while it was on its way. */
export function replayHeard<Item extends TerminalListItem>(fleet: Fleet<Item>, read: (wire: never) => Item) {
  return heard.reduce(
    (after, event) =>
      standingOf(after.revision, event.since, event.revision) === 'follows'
        ? applyChanges(after, event, read, Date.now())
        : after,
    fleet,
  )
}
