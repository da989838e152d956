import type { ShownStatus } from '#contract/shown-status.ts'

export { type ShownStatus, shownStatus, shownStatuses, statusLabels } from '#contract/shown-status.ts'

export const statusColors: Record<ShownStatus, string> = {
  online: 'var(--status-online)',
  offline: 'var(--status-offline)',
  'no data': 'var(--status-nodata)',
  disabled: 'var(--status-disabled)',
}
