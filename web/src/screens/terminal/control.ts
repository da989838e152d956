import { usePermissions } from '../../permissions.ts'

const noControl = 'You don’t have permission to change this.'

/** Why the user may not send commands to terminals; undefined if they may. */
export function useControlDenied() {
  const { terminal_control } = usePermissions()
  return terminal_control === true ? undefined : noControl
}
