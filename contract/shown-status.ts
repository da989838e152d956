import { isDisabled, type TerminalStatus } from './terminal-status.ts'

/** The displayed status: Disabled comes from an alert and overrides the reported status. */
export const shownStatuses = ['online', 'offline', 'no data', 'disabled'] as const
export type ShownStatus = (typeof shownStatuses)[number]

export const statusLabels: Record<ShownStatus, string> = {
  online: 'Online',
  offline: 'Offline',
  'no data': 'No Data',
  disabled: 'Disabled',
}

export const shownStatus = ({ status, alerts }: { status: TerminalStatus; alerts: readonly string[] }): ShownStatus =>
  isDisabled(alerts) ? 'disabled' : status
