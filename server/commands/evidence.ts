import type { CommandKind, CommandState } from '#contract/command-receipt.ts'

/** A command that may still change, with what has been heard of its terminals and its line since. */
export interface OpenCommand {
  id: number
  lineId: number
  serviceLineNumber: string
  credentialId: number
  kind: CommandKind
  desired: string | null
  state: CommandState
  requestedAtMs: number
  before: { ip_policy?: string; addresses?: string[] }
  /** The line's, as the vendor told last. */
  optInProductId: string | null
  /** Of its terminal, or of the line's terminals. */
  terminals: { sampledAtMs: number | null; uptimeS: number | null; addressesAtMs: number | null; ipv4: string[] }[]
}

// A row tells of the 15 seconds before it.
const ROW_MS = 15_000

const MIN_MS = 60_000

/** After so long without a sign it counts as not confirmed. Addresses are told every five minutes. */
export const confirmWithinMs: Record<CommandKind, number> = {
  reboot: 10 * MIN_MS,
  ip_policy: 15 * MIN_MS,
  opt_in: 15 * MIN_MS,
  snow_melt: 10 * MIN_MS,
}

/** Whether what was asked for has shown. */
export const isSeen = (command: OpenCommand): boolean => {
  switch (command.kind) {
    case 'reboot':
      return command.terminals.some(({ sampledAtMs, uptimeS }) =>
        hasBooted(command.requestedAtMs, sampledAtMs, uptimeS),
      )
    case 'ip_policy':
      return hasNewAddress(command)
    case 'opt_in':
      return (command.optInProductId !== null) === (command.desired === 'opt in')
    case 'snow_melt':
      return false
  }
}

/** A terminal also boots by itself: where nobody looked for a while, a boot that came later is not the one asked for. */
const hasBooted = (requestedAtMs: number, sampledAtMs: number | null, uptimeS: number | null) => {
  if (sampledAtMs === null || uptimeS === null || sampledAtMs <= requestedAtMs) return false
  const afterMs = sampledAtMs - uptimeS * 1000 - requestedAtMs
  return afterMs >= -ROW_MS && afterMs <= confirmWithinMs.reboot
}

/** Asked for what held already, nothing changes: then any address row since then shows that it holds. */
const hasNewAddress = ({ requestedAtMs, desired, before, terminals }: OpenCommand) => {
  const since = terminals.filter(({ addressesAtMs }) => addressesAtMs !== null && addressesAtMs > requestedAtMs)
  if (before.ip_policy === desired) return since.length > 0
  return since.some(({ ipv4 }) => ipv4.length > 0 && ipv4.some((address) => !before.addresses?.includes(address)))
}
