import { readBoolean, readMicroseconds, readNumber, readText, toTerminalId } from './telemetry-cell.ts'

export type RouterSample = {
  /** `Router-` and 24 hexadecimal digits, as the stream writes it. */
  routerId: string
  /** The userTerminalId of the dish it is connected to. */
  dishId: string | null
  atMs: number
  atUs: number
  uptimeS: number | null
  softwareVersion: string | null
  hardwareVersion: string | null
  isRepeater: boolean | null
  isBypassed: boolean | null
  clients: number | null
  /** 0–1, to the internet. */
  pingDrop: number | null
  latencyMs: number | null
}

export const createRouterReader = (columns: Map<string, number>) => {
  const at = columns.get('UtcTimestampNs')
  const id = columns.get('DeviceId')
  const dish = columns.get('DishId')
  const uptime = columns.get('WifiUptimeS')
  const version = columns.get('WifiSoftwareVersion')
  const hardware = columns.get('WifiHardwareVersion')
  const repeater = columns.get('WifiIsRepeater')
  const bypassed = columns.get('WifiIsBypassed')
  const clients = columns.get('Clients')
  const pingDrop = columns.get('InternetPingDropRate')
  const latency = columns.get('InternetPingLatencyMs')
  const width = columns.size

  return (row: unknown[]): RouterSample | null => {
    const atUs = readMicroseconds(row, at)
    const routerId = readText(row, id)
    if (row.length !== width || atUs === null || routerId === null) return null
    const dishId = readText(row, dish)
    return {
      routerId,
      dishId: dishId === null ? null : toTerminalId(dishId),
      atMs: Math.floor(atUs / 1000),
      atUs,
      uptimeS: readNumber(row, uptime),
      softwareVersion: readText(row, version),
      hardwareVersion: readText(row, hardware),
      isRepeater: readBoolean(row, repeater),
      isBypassed: readBoolean(row, bypassed),
      clients: readNumber(row, clients),
      pingDrop: readNumber(row, pingDrop),
      latencyMs: readNumber(row, latency),
    }
  }
}
