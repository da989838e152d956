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

/** Values older than this are not current: terminals report every 15 seconds, and the server forwards it within seconds. */
export const DELAYED_AFTER_MS = 180_000
