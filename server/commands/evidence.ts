import type { CommandKind, CommandState } from '#contract/command-receipt.ts'

/** A command that may still change, with what its terminals and its line have reported since. */
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
  /** The line's product, as the vendor last reported it. */
  optInProductId: string | null
  /** Its terminal, or all terminals of the line. */
  terminals: { sampledAtMs: number | null; uptimeS: number | null; addressesAtMs: number | null; ipv4: string[] }[]
}

// A telemetry row covers the 15 seconds before it.
const ROW_MS = 15_000

const MIN_MS = 60_000

/** How long to wait for the effect before the command counts as unconfirmed. Addresses are reported every five minutes. */
export const confirmWithinMs: Record<CommandKind, number> = {
  reboot: 10 * MIN_MS,
  ip_policy: 15 * MIN_MS,
  opt_in: 15 * MIN_MS,
  snow_melt: 10 * MIN_MS,
}

/** Whether the effect of the command was observed. */
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

/** A terminal also reboots on its own. After a gap in polling, a boot much later than the request is not the requested one. */
const hasBooted = (requestedAtMs: number, sampledAtMs: number | null, uptimeS: number | null) => {
  if (sampledAtMs === null || uptimeS === null || sampledAtMs <= requestedAtMs) return false
  const afterMs = sampledAtMs - uptimeS * 1000 - requestedAtMs
  return afterMs >= -ROW_MS && afterMs <= confirmWithinMs.reboot
}

/** If the policy was already in effect, no address changes. Then any address row since the request confirms it. */
const hasNewAddress = ({ requestedAtMs, desired, before, terminals }: OpenCommand) => {
  const since = terminals.filter(({ addressesAtMs }) => addressesAtMs !== null && addressesAtMs > requestedAtMs)
  if (before.ip_policy === desired) return since.length > 0
  return since.some(({ ipv4 }) => ipv4.length > 0 && ipv4.some((address) => !before.addresses?.includes(address)))
}
