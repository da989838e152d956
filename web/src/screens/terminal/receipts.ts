import type { CommandKind, CommandReceipt, CommandState } from '#contract/command-receipt.ts'

export const stateTexts: Record<CommandState, string> = {
  asked: 'On its way to the vendor',
  accepted: 'Accepted by the vendor',
  seen: 'Seen in telemetry',
  'not confirmed': 'Not confirmed',
  refused: 'Refused',
  unknown: 'Unknown, so not sent again',
}

/** Something may still come of it. */
export const mayChange = ({ state, settledAt }: Pick<CommandReceipt, 'state' | 'settledAt'>) =>
  settledAt === null && (state === 'asked' || state === 'accepted')

/** The newest command of a kind; those of one terminal do not stand beside another. */
export const findReceipt = (receipts: readonly CommandReceipt[], kind: CommandKind, deviceid: string | null) =>
  receipts.find((receipt) => receipt.kind === kind && (deviceid === null || receipt.deviceid === deviceid))
