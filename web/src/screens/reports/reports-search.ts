import * as z from 'zod/mini'

/** In the URL. Without `show`, the existing reports. */
export const ReportsSearch = z.object({ show: z.catch(z.optional(z.literal('schedules')), undefined) })
