/** The events that a webhook can receive, with their names on pages. */
export const webhookEventNames = {
  'terminal.status_changed': 'A terminal goes online, offline, silent or is disabled',
  'terminal.alert_raised': 'A terminal reports an alert',
  'terminal.alert_cleared': 'An alert of a terminal is over',
  'incident.opened': 'An incident or an early warning begins',
  'incident.changed': 'An incident turns out differently, grows, or somebody takes care of it',
  'incident.resolved': 'An incident is over',
  'usage.threshold_reached': 'A terminal or pool has used 80%, 90% or 100% of its data',
  'pool.created': 'A pool is created',
  'pool.changed': 'A pool is changed',
  'pool.limit_reached': 'A pool has used up its data, and its rule applies',
  'command.finished': 'A command to a terminal succeeded or failed',
  'user.created': 'A user is created',
  'user.changed': 'A user is changed',
  'user.deleted': 'A user is deleted',
} as const

export type WebhookEventType = keyof typeof webhookEventNames

export const webhookEventTypes = Object.keys(webhookEventNames) as WebhookEventType[]

/** Users do not belong to a group's terminals, so only a webhook for the whole account receives these. */
export const isUserEvent = (type: string) => type.startsWith('user.')

/** Sent on request, to test an endpoint. */
export const PING = 'ping'
