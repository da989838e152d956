import * as z from 'zod/mini'
import { EventsInUrl } from '../../parts/events/events-in-url.ts'

/** In the URL. Without `show`, only ongoing incidents. */
export const IncidentsSearch = z.object({
  show: z.catch(z.optional(z.literal('all')), undefined),
  events: EventsInUrl,
})
