import { readMicroseconds, readText, readTexts, toTerminalId } from './telemetry-cell.ts'

export type AddressSample = {
  /** The userTerminalId of the inventory. */
  deviceId: string
  atMs: number
  atUs: number
  /** All three lists empty: the terminal has lost its addresses. */
  ipv4: string[]
  ipv6Ue: string[]
  ipv6Cpe: string[]
}

export const createAddressReader = (columns: Map<string, number>) => {
  const at = columns.get('UtcTimestampNs')
  const id = columns.get('DeviceId')
  const ipv4 = columns.get('Ipv4')
  const ipv6Ue = columns.get('Ipv6Ue')
  const ipv6Cpe = columns.get('Ipv6Cpe')
  const width = columns.size

  return (row: unknown[]): AddressSample | null => {
    const atUs = readMicroseconds(row, at)
    const deviceId = readText(row, id)
    if (row.length !== width || atUs === null || deviceId === null) return null
    return {
      deviceId: toTerminalId(deviceId),
      atMs: Math.floor(atUs / 1000),
      atUs,
      ipv4: readTexts(row, ipv4),
      ipv6Ue: readTexts(row, ipv6Ue),
      ipv6Cpe: readTexts(row, ipv6Cpe),
    }
  }
}
