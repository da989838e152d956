import * as z from 'zod/mini'
import { Done } from './basic-bodies.ts'
import { moment } from './codecs.ts'
import { route } from './route.ts'
import { choice, uuid } from './text.ts'

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
  /** While it is queued: the time of the next attempt. */
  nextAttemptAt: z.nullable(moment),
  /** The message that this one is a copy of, when an administrator resent it. */
  resendOf: z.nullable(z.string()),
})
export type Delivery = z.output<typeof Delivery>

const Deliveries = z.object({
  counts: z.record(z.enum(deliveryStates), z.number()),
  /** Texts of this month (UTC), and how many the tenant may send. */
  smsBudget: z.object({ texts: z.number(), budget: z.number() }),
  /** The channels of this installation without a mail server or SMS gateway: their messages wait for one. */
  waitingChannels: z.array(z.enum(['email', 'sms'])),
  messages: z.array(Delivery),
})
export type Deliveries = z.output<typeof Deliveries>

/** Why a message cannot be resent: it is being sent, contained a code or a password, or has expired. */
export const resendHindrances = ['under way', 'secret', 'expired'] as const

const DeliveryDetail = z.extend(Delivery, {
  /** Null when it contained a code or a password, which is deleted once the message is sent and never shown. */
  body: z.nullable(z.string()),
  /** It is not sent after this time. */
  expiresAt: z.nullable(moment),
  hindrance: z.nullable(z.enum(resendHindrances)),
  /** Its resent copies, newest first. */
  resends: z.array(z.object({ id: z.string(), state: z.enum(deliveryStates), createdAt: moment })),
})
export type DeliveryDetail = z.output<typeof DeliveryDetail>

const MessagePath = z.strictObject({ messageId: uuid('This is not a valid id.') })

export const deliveries = {
  list: route({
    method: 'GET',
    path: '/message-deliveries/',
    access: 'admin',
    summary: 'The newest messages to users with their state, and the number in each state',
    input: z.strictObject({ state: z.optional(choice(deliveryStates)) }),
    output: Deliveries,
  }),
  get: route({
    method: 'GET',
    path: '/message-deliveries/:messageId/',
    access: 'admin',
    summary: 'One message with its text and the copies that were sent again',
    input: MessagePath,
    output: z.object({ delivery: DeliveryDetail }),
  }),
  resend: route({
    method: 'POST',
    path: '/message-deliveries/:messageId/resend/',
    access: 'admin',
    summary: 'Send a copy of a message to the same user; never one with a code or a password',
    input: MessagePath,
    output: z.extend(Done, { messageId: z.string() }),
  }),
}
