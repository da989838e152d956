import * as z from 'zod/mini'
import { moment } from './codecs.ts'

export const commandKinds = ['reboot', 'ip_policy', 'opt_in', 'snow_melt'] as const
export type CommandKind = (typeof commandKinds)[number]

/**
 * - `asked`: on its way to the vendor
 * - `accepted`: the vendor accepted it; the effect of a snow melt mode cannot be observed
 * - `seen`: its effect was observed (uptime restarted, another address, the opt-in product)
 * - `not confirmed`: its effect was not observed in time
 * - `refused`: the vendor refused it or could not be reached; nothing was changed
 * - `unknown`: the vendor may or may not have accepted it, so it is not sent again
 */
export const commandStates = ['asked', 'accepted', 'seen', 'not confirmed', 'refused', 'unknown'] as const
export type CommandState = (typeof commandStates)[number]

/** How many commands the page of a line shows, the newest first. */
export const receiptsShown = 10

export const CommandReceipt = z.object({
  id: z.string(),
  kind: z.enum(commandKinds),
  /** The requested value: an IP policy, 'opt in' or 'opt out', a snow melt mode; null for a reboot. */
  desired: z.nullable(z.string()),
  /** The terminal of the command; null when it was for the whole line. */
  deviceid: z.nullable(z.string()),
  state: z.enum(commandStates),
  requestedBy: z.string(),
  requestedAt: moment,
  acceptedAt: z.nullable(moment),
  /** When it reached its final state; null while that may still change. */
  settledAt: z.nullable(moment),
  /** Why it was refused or is unknown, as a message to the user. */
  problem: z.nullable(z.string()),
})
export type CommandReceipt = z.output<typeof CommandReceipt>
