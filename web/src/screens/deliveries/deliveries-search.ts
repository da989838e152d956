import * as z from 'zod/mini'
import { deliveryStates } from '#contract/deliveries.ts'

/** In the URL: the listed states, the search text and the open message. */
export const DeliveriesSearch = z.object({
  state: z.catch(z.optional(z.enum(deliveryStates)), undefined),
  q: z.catch(z.optional(z.string()), undefined),
  message: z.catch(z.optional(z.string().check(z.regex(/^[\da-f-]{36}$/i))), undefined),
})
