import type { InfiniteData } from '@tanstack/react-query'
import type { events } from '#contract/events.ts'
import type { RouteOutput } from '#contract/route.ts'

type EventPage = RouteOutput<typeof events.list>
export type EventPages = InfiniteData<EventPage, string | undefined>

/** Caps memory on a page that is open for weeks; earlier events are reloaded on demand. */
const MAX_HELD = 400

/** The pages with newer events prepended. */
export const prependEvents = ({ pages, pageParams }: EventPages, newer: EventPage['events']): EventPages => {
  const [first, ...rest] = pages as [EventPage, ...EventPage[]]
  const known = new Set(first.events.map(({ id }) => id))
  const top = [...newer.filter(({ id }) => !known.has(id)), ...first.events]
  if (top.length <= MAX_HELD) return { pages: [{ ...first, events: top }, ...rest], pageParams }
  const held = top.slice(0, MAX_HELD)
  return { pages: [{ events: held, next: held.at(-1)?.id ?? null }], pageParams: [undefined] }
}
