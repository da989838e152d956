import * as z from 'zod/mini'
import { listOrders } from '#contract/list-order.ts'
import { EventsInUrl } from '../../parts/events/events-in-url.ts'
import { FleetFilter } from '../../parts/fleet/fleet-filter.ts'

/** Without an order, the list has the one that the user chose last. */
export const DashboardSearch = z.extend(FleetFilter, {
  /** The list and the map, unless it is the wall. */
  view: z.catch(z.optional(z.enum(['wall'])), undefined),
  order: z.catch(z.optional(z.enum(listOrders)), undefined),
  /** The middle of the map and its zoom; without it, the map shows all terminals that match. */
  map: z.catch(z.optional(z.string().check(z.regex(/^-?[\d.]+,-?[\d.]+,[\d.]+$/))), undefined),
  events: EventsInUrl,
})
