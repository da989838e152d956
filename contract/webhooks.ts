import * as z from 'zod/mini'
import { Done, NoInput } from './basic-bodies.ts'
import { moment } from './codecs.ts'
import { route } from './route.ts'
import { choice, requiredLine, textLike, uuid } from './text.ts'
import { webhookEventTypes } from './webhook-event-types.ts'

const webhookFormats = ['standard', 'slack', 'teams'] as const
export type WebhookFormat = (typeof webhookFormats)[number]

const id = uuid('This is not a valid id.')

const MAX_TERMINALS = 200

/** The scope of a webhook: the whole tenant, the lines of a group, or some lines by nickname, number or kit number. */
const Target = z.union([
  z.strictObject({ kind: choice(['all']) }),
  z.strictObject({ kind: choice(['group']), group: requiredLine(100) }),
  z.strictObject({
    kind: choice(['terminals']),
    terminals: z
      .array(requiredLine(100))
      .check(
        z.minLength(1, 'Please name at least one terminal.'),
        z.maxLength(MAX_TERMINALS, `Please name at most ${MAX_TERMINALS} terminals.`),
      ),
  }),
])
export type WebhookTarget = z.output<typeof Target>

const fields = {
  name: requiredLine(100),
  url: textLike(2000, /^https?:\/\/[^\s/?#]+([/?#]\S*)?$/i, 'Please enter an address that begins with https://.'),
  format: choice(webhookFormats),
  eventTypes: z
    .array(choice(webhookEventTypes))
    .check(
      z.minLength(1, 'Please choose at least one event.'),
      z.maxLength(webhookEventTypes.length, 'Please choose each event once.'),
    ),
  target: Target,
}
/** The fields that an administrator enters. */
export const WebhookForm = z.strictObject(fields)
export type WebhookForm = z.output<typeof WebhookForm>

const Webhook = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  format: z.enum(webhookFormats),
  /** A newer server may send others. */
  eventTypes: z.array(z.string()),
  target: Target,
  createdAt: moment,
  /** Until when the previous secret also signs; null if there is none. */
  previousSecretUntil: z.nullable(moment),
  /** Since when every attempt has failed. */
  failingSince: z.nullable(moment),
  pausedAt: z.nullable(moment),
  pauseReason: z.nullable(z.string()),
  waiting: z.number(),
  lastDeliveredAt: z.nullable(moment),
})
export type Webhook = z.output<typeof Webhook>

const webhookDeliveryStates = ['queued', 'delivered', 'failed'] as const

const deliveryFields = {
  /** Also the header `webhook-id`. */
  id: z.string(),
  type: z.string(),
  state: z.enum(webhookDeliveryStates),
  attempts: z.number(),
  occurredAt: moment,
  createdAt: moment,
  attemptedAt: z.nullable(moment),
  finishedAt: z.nullable(moment),
  /** While it is queued: the time of the next attempt. */
  nextAttemptAt: z.nullable(moment),
  /** Of the last completed attempt. */
  responseStatus: z.nullable(z.number()),
  problem: z.nullable(z.string()),
}
const WebhookDelivery = z.object(deliveryFields)
export type WebhookDelivery = z.output<typeof WebhookDelivery>

const WebhookAttempt = z.object({
  startedAt: moment,
  /** Null while the attempt is in progress, or if its worker stopped before the end. */
  durationMs: z.nullable(z.number()),
  responseStatus: z.nullable(z.number()),
  /** The first characters of the receiver's response. */
  responseBody: z.nullable(z.string()),
  problem: z.nullable(z.string()),
})
export type WebhookAttempt = z.output<typeof WebhookAttempt>

const WebhookDeliveryDetail = z.object({
  ...deliveryFields,
  /** Null until the first attempt. */
  body: z.nullable(z.string()),
  /** The newest 50 attempts, newest first. */
  attemptLog: z.array(WebhookAttempt),
})

const webhookPath = z.strictObject({ id })
const deliveryPath = z.strictObject({ id, deliveryId: id })

/** The secret is in this response only. */
const WithSecret = z.object({ webhook: Webhook, secret: z.string() })

export const webhooks = {
  list: route({
    method: 'GET',
    path: '/webhooks/',
    access: 'admin',
    summary: 'The webhooks of the tenant',
    input: NoInput,
    output: z.object({ webhooks: z.array(Webhook) }),
  }),
  create: route({
    method: 'POST',
    path: '/webhooks/',
    access: 'admin',
    summary: 'Create a webhook; returns its secret, once',
    input: WebhookForm,
    output: WithSecret,
  }),
  change: route({
    method: 'PUT',
    path: '/webhooks/:id/',
    access: 'admin',
    summary: 'Change a webhook; its secret stays',
    input: z.strictObject({ id, ...fields }),
    output: z.object({ webhook: Webhook }),
  }),
  remove: route({
    method: 'DELETE',
    path: '/webhooks/:id/',
    access: 'admin',
    summary: 'Delete a webhook with its deliveries',
    input: webhookPath,
    output: Done,
  }),
  rotateSecret: route({
    method: 'POST',
    path: '/webhooks/:id/rotate-secret/',
    access: 'admin',
    summary: 'Give a webhook a new secret and return it, once; for 24 hours the previous one signs too',
    input: webhookPath,
    output: WithSecret,
  }),
  setPaused: route({
    method: 'POST',
    path: '/webhooks/:id/pause/',
    access: 'admin',
    summary: 'Pause a webhook, or resume it; what happens meanwhile waits for up to three days',
    input: z.strictObject({ id, paused: z.boolean() }),
    output: z.object({ webhook: Webhook }),
  }),
  test: route({
    method: 'POST',
    path: '/webhooks/:id/test/',
    access: 'admin',
    summary: 'Send a test event, `ping`',
    input: webhookPath,
    output: z.object({ deliveryId: z.string() }),
  }),
  deliveries: route({
    method: 'GET',
    path: '/webhooks/:id/deliveries/',
    access: 'admin',
    summary: 'The deliveries of a webhook, newest first; for the next page, `before` is the id of the last one',
    input: z.strictObject({ id, state: z.optional(choice(webhookDeliveryStates)), before: z.optional(id) }),
    output: z.object({ deliveries: z.array(WebhookDelivery), isMore: z.boolean() }),
  }),
  delivery: route({
    method: 'GET',
    path: '/webhooks/:id/deliveries/:deliveryId/',
    access: 'admin',
    summary: 'A delivery with its body, and each attempt with the response',
    input: deliveryPath,
    output: z.object({ delivery: WebhookDeliveryDetail }),
  }),
  resend: route({
    method: 'POST',
    path: '/webhooks/:id/deliveries/:deliveryId/resend/',
    access: 'admin',
    summary: 'Send a delivery again, with the same id and body',
    input: deliveryPath,
    output: Done,
  }),
}
