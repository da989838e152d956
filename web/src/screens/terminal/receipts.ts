import type { CommandKind, CommandReceipt, CommandState } from '#contract/command-receipt.ts'

export const stateTexts: Record<CommandState, string> = {
  asked: 'Sending to the vendor',
  accepted: 'Accepted by the vendor',
  seen: 'Seen in telemetry',
  'not confirmed': 'Not confirmed',
  refused: 'Refused',
  unknown: 'Unknown, so not sent again',
}

/** Whether the state of the command may still change. */
export const mayChange = ({ state, settledAt }: Pick<CommandReceipt, 'state' | 'settledAt'>) =>
  settledAt === null && (state === 'asked' || state === 'accepted')

/** The newest command of a kind, of the given terminal if one is given. */
export const findReceipt = (receipts: readonly CommandReceipt[], kind: CommandKind, deviceid: string | null) =>
  receipts.find((receipt) => receipt.kind === kind && (deviceid === null || receipt.deviceid === deviceid))
