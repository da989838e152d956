import * as z from 'zod/mini'

/** In the URL. Without `show`, current and upcoming windows. */
export const MaintenanceSearch = z.object({
  show: z.catch(z.optional(z.literal('past')), undefined),
  terminal: z.catch(z.optional(z.string()), undefined),
})
