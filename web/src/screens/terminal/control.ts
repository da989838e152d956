import { usePermissions } from '../../permissions.ts'

const noControl = 'You don’t have permission to change this.'

/** Why the person may not give commands to terminals; undefined when they may. */
export function useControlDenied() {
  const { terminal_control } = usePermissions()
  return terminal_control === true ? undefined : noControl
}
