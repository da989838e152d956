import { useNavigate, useSearch } from '@tanstack/react-router'
import * as z from 'zod/mini'

/** In the URL while the list of events is open: the listed kinds, comma-separated, or `all`. */
export const EventsInUrl = z.catch(z.optional(z.string().check(z.maxLength(100))), undefined)

export function useEventsInUrl() {
  const shown = useSearch({ strict: false }).events
  const navigate = useNavigate()
  const show = (events: string | undefined) =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, events }),
      replace: true,
      resetScroll: false,
    })
  return { shown, show }
}
