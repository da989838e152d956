import * as z from 'zod/mini'
import { moment } from './codecs.ts'

export const commandKinds = ['reboot', 'ip_policy', 'opt_in', 'snow_melt'] as const
export type CommandKind = (typeof commandKinds)[number]

/**
 * - `asked`: on its way to the vendor
 * - `accepted`: the vendor took it; of snow melt nothing more can be known
 * - `seen`: its effect showed (uptime began anew, another address, the opt-in product)
 * - `not confirmed`: its effect did not show in time
 * - `refused`: the vendor said no, or could not be reached; nothing was changed
 * - `unknown`: the vendor may or may not have taken it, so it is not sent again
 */
export const commandStates = ['asked', 'accepted', 'seen', 'not confirmed', 'refused', 'unknown'] as const
export type CommandState = (typeof commandStates)[number]

export const CommandReceipt = z.object({
  id: z.string(),
  kind: z.enum(commandKinds),
  /** What was asked for: an IP policy, 'opt in' or 'opt out', a snow melt mode; null for a reboot. */
  wish: z.nullable(z.string()),
  /** The terminal it was for, where it was not for the line as a whole. */
  deviceid: z.nullable(z.string()),
  state: z.enum(commandStates),
  askedBy: z.string(),
  askedAt: moment,
  acceptedAt: z.nullable(moment),
  /** When it was seen, refused or given up; null while it may still change. */
  settledAt: z.nullable(moment),
  /** Why it was refused, or is unknown, in words for people. */
  problem: z.nullable(z.string()),
})
export type CommandReceipt = z.output<typeof CommandReceipt>
