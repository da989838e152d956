import { CLIENTS, getBusyShareAt } from './activity.ts'
import type { Fleet, Terminal } from './fleet.ts'
import { between, round, unit } from './noise.ts'
import { PURPOSE } from './purposes.ts'
import type { Reading } from './reading.ts'

export type RouterReading = {
  uptimeS: number
  isRepeater: boolean
  isBypassed: boolean
  pingDrop: number
  latencyMs: number
  dishLatencyMs: number
  clients: number
  clients2Ghz: number
  clients5Ghz: number
  clientsEthernet: number
  receivedBytes: number
  sentBytes: number
}

/** What the nth router of a terminal reports. */
export const readRouter = (
  fleet: Fleet,
  terminal: Terminal,
  nth: number,
  reading: Reading,
  atMs: number,
): RouterReading => {
  const { seed } = fleet
  const { index, kind, place } = terminal
  const slot = Math.floor(atMs / 60_000)
  const [least, most] = CLIENTS[kind]
  const busy = Math.min(1, getBusyShareAt(kind, place, atMs) * 1.6)
  const clients = Math.round(
    between(least, most, busy * between(0.6, 1, unit(seed, index, slot, PURPOSE.clientCount + nth))),
  )
  const clients2Ghz = Math.round(clients * 0.4)
  const clientsEthernet = Math.min(clients - clients2Ghz, kind === 'office' || kind === 'camp' ? 4 : 1)
  // Counters grow with uptime and are reset by a reboot.
  const meanMbps = terminal.busyMedianMbps * 0.25
  const receivedBytes = Math.floor((reading.uptimeS * meanMbps * 1e6) / 8)
  return {
    uptimeS: Math.max(0, reading.uptimeS - 20),
    isRepeater: nth > 0,
    isBypassed: nth === 0 && unit(seed, index, 1, PURPOSE.routers) < 0.05,
    pingDrop: reading.pingDrop,
    latencyMs: round(reading.latencyMs === 0 ? 0 : reading.latencyMs + 3, 2),
    dishLatencyMs: round(between(0.4, 1.2, unit(seed, index, slot, PURPOSE.routerPhase)), 3),
    clients,
    clients2Ghz,
    clients5Ghz: clients - clients2Ghz - clientsEthernet,
    clientsEthernet,
    receivedBytes,
    sentBytes: Math.floor(receivedBytes * 0.1),
  }
}
