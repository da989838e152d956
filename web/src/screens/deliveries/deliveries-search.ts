import * as z from 'zod/mini'
import { deliveryStates } from '#contract/deliveries.ts'

/** What the address of the page holds: the states that are shown, the text that is searched, and the message that is open. */
export const DeliveriesSearch = z.object({
  state: z.catch(z.optional(z.enum(deliveryStates)), undefined),
  q: z.catch(z.optional(z.string()), undefined),
  message: z.catch(z.optional(z.string().check(z.regex(/^[\da-f-]{36}$/i))), undefined),
})
