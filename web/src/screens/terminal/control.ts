import type { TerminalDetail } from '#contract/terminal-detail.ts'
import { useAt } from '../../past-search.ts'
import { usePermissions } from '../../permissions.ts'

const noControl = 'You don’t have permission to change this.'

export const inThePast = 'Back to live first: this shows the past.'

/** Whether only the name and the status are known for the displayed time. */
export const isUnrecorded = ({ past }: Pick<TerminalDetail, 'past'>) =>
  past !== undefined && (past.factsSince === null || past.factsSince > past.at)

/** Why the user may not send commands to terminals; undefined if they may. */
export function useControlDenied() {
  const { terminal_control } = usePermissions()
  if (useAt() !== undefined) return inThePast
  return terminal_control === true ? undefined : noControl
}
