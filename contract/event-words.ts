import { findAlertText } from './alerts.ts'
import type { CommandKind, CommandState } from './command-receipt.ts'

export type EventStatus = 'online' | 'offline' | 'no data' | 'disabled'

/** To be read after the name of a terminal. */
export const statusWords: Record<EventStatus, string> = {
  online: 'is back online',
  offline: 'is offline',
  'no data': 'has sent no data',
  disabled: 'is disabled',
}

export const commandNames: Record<CommandKind, string> = {
  reboot: 'Reboot',
  ip_policy: 'Change of the IP policy',
  opt_in: 'Change of the opt-in',
  snow_melt: 'Change of the snow melt mode',
}

export const outcomeWords: Partial<Record<CommandState, string>> = {
  accepted: 'was accepted',
  seen: 'succeeded',
  'not confirmed': 'could not be confirmed',
  refused: 'was refused',
}

export const formatAlertEvent = (code: string, isOver: boolean) => {
  const title = findAlertText(code)?.title ?? code
  return isOver ? `Alert over: ${title}` : `Alert: ${title}`
}
