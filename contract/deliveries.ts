import * as z from 'zod/mini'
import { moment } from './codecs.ts'
import { route } from './route.ts'
import { choice } from './text.ts'

export const deliveryStates = ['queued', 'sending', 'sent', 'failed', 'unknown'] as const

const Delivery = z.object({
  id: z.string(),
  channel: z.enum(['email', 'sms']),
  recipient: z.string(),
  /** The subject of a mail or the text of an SMS; never a mail's body. */
  subject: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.number(),
  problem: z.nullable(z.string()),
  createdAt: moment,
  finishedAt: z.nullable(moment),
  /** While it waits: the time of the next attempt. */
  nextAttemptAt: z.nullable(moment),
})
export type Delivery = z.output<typeof Delivery>

export const deliveries = {
  list: route({
    method: 'GET',
    path: '/message-deliveries/',
    access: 'admin',
    summary: 'The newest messages to users with their state, and the number in each state',
    input: z.strictObject({ state: z.optional(choice(deliveryStates)) }),
    output: z.object({
      counts: z.record(z.enum(deliveryStates), z.number()),
      /** Texts of this month (UTC), and how many the tenant may send. */
      smsBudget: z.object({ texts: z.number(), budget: z.number() }),
      messages: z.array(Delivery),
    }),
  }),
}
