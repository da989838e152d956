import type { Router, TerminalData, TerminalDetail } from '#contract/terminal-detail.ts'

const tail = (text: string) => text.slice(-6)

/** Terminals without a kit number are labeled by their id. */
export const formatDevice = ({ kitnumber, deviceid }: Pick<TerminalData, 'kitnumber' | 'deviceid'>) =>
  `terminal-${tail(kitnumber || deviceid)}`

export const formatRouter = ({ router_id }: Pick<Router, 'router_id'>) => `router-${tail(router_id)}`

export type Device =
  | { key: string; label: string; terminal: TerminalData }
  | { key: string; label: string; router: Router }

/** One tab per terminal, then one per router. */
export function listDevices({ terminal_data }: Pick<TerminalDetail, 'terminal_data'>): Device[] {
  const terminals = terminal_data
    .filter(({ deviceid }) => deviceid !== '')
    .map((terminal) => ({ key: terminal.deviceid, label: formatDevice(terminal), terminal }))
  const routers = terminal_data
    .flatMap((terminal) => terminal.routers)
    .map((router) => ({ key: router.router_id, label: formatRouter(router), router }))
  return [...terminals, ...routers]
}
