import * as z from 'zod/mini'

const statuses = ['online', 'offline', 'no data'] as const
export type TerminalStatus = (typeof statuses)[number]

/** A status that is not one of the three counts as no data. */
export const TerminalStatus = z.codec(z.nullish(z.string()), z.enum(statuses), {
  decode: (value) => statuses.find((status) => status === value?.toLowerCase()) ?? 'no data',
  encode: (status) => status,
})

/** An alert marks a terminal as disabled; this overrides the status. */
export const isDisabled = (alerts: readonly string[]) =>
  alerts.some((alert) => alert === 'disabled' || alert.startsWith('disabled_'))
