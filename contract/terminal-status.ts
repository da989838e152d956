import * as z from 'zod/mini'

export const terminalStatuses = ['online', 'offline', 'no data'] as const
export type TerminalStatus = (typeof terminalStatuses)[number]

/** Any other value counts as no data. */
export const TerminalStatus = z.codec(z.nullish(z.string()), z.enum(terminalStatuses), {
  decode: (value) => terminalStatuses.find((status) => status === value?.toLowerCase()) ?? 'no data',
  encode: (status) => status,
})

/** An alert marks a terminal as disabled; this overrides the status. */
export const isDisabled = (alerts: readonly string[]) =>
  alerts.some((alert) => alert === 'disabled' || alert.startsWith('disabled_'))
