import { isDisabled } from '#contract/terminal-status.ts'
import type { TerminalListItem } from '#contract/terminals.ts'

/** The displayed status: Disabled comes from an alert and overrides the reported status. */
export const shownStatuses = ['online', 'offline', 'no data', 'disabled'] as const
export type ShownStatus = (typeof shownStatuses)[number]

export const statusLabels: Record<ShownStatus, string> = {
  online: 'Online',
  offline: 'Offline',
  'no data': 'No Data',
  disabled: 'Disabled',
}

export const statusColors: Record<ShownStatus, string> = {
  online: 'var(--status-online)',
  offline: 'var(--status-offline)',
  'no data': 'var(--status-nodata)',
  disabled: 'var(--status-disabled)',
}

export const shownStatus = (terminal: Pick<TerminalListItem, 'status' | 'alerts'>): ShownStatus =>
  isDisabled(terminal.alerts) ? 'disabled' : terminal.status
