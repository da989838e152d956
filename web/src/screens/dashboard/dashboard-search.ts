import * as z from 'zod/mini'
import { listOrders } from '#contract/list-order.ts'
import { EventsInUrl } from '../../parts/events/events-in-url.ts'
import { FleetFilter } from '../../parts/fleet/fleet-filter.ts'

/** Without an order, the list has the one that the user chose last. */
export const DashboardSearch = z.extend(FleetFilter, {
  /** The list and the map by default, or the wall. */
  view: z.catch(z.optional(z.enum(['wall'])), undefined),
  order: z.catch(z.optional(z.enum(listOrders)), undefined),
  /** The center of the map and its zoom; by default, the map shows all matching terminals. */
  map: z.catch(z.optional(z.string().check(z.regex(/^-?[\d.]+,-?[\d.]+,[\d.]+$/))), undefined),
  events: EventsInUrl,
})
