import {
  isAlertName,
  limitAlerts,
  readMicroseconds,
  readNumber,
  readText,
  toH3Cell,
  toTerminalId,
} from './telemetry-cell.ts'
import { terminalMeasures } from './telemetry-measures.ts'

export type TerminalSample = {
  /** The userTerminalId of the inventory, without the stream's `ut`. */
  deviceId: string
  atMs: number
  atUs: number
  /** One value per measure; NaN if the vendor reported none, because an array of numbers only is compact and fast. */
  values: readonly number[]
  uptimeS: number | null
  /** Hexadecimal, as h3 libraries take it. */
  h3Cell: string | null
  softwareVersion: string | null
  countryCode: string | null
  /** Names, each once; a code without a name is `unknown_<code>`. */
  alerts: readonly string[]
}

const NO_ALERTS: readonly string[] = Object.freeze([])

export const createTerminalReader = (
  columns: Map<string, number>,
  alertNames: Record<string, unknown>,
  unknownAlerts: Set<string>,
) => {
  const at = columns.get('UtcTimestampNs')
  const id = columns.get('DeviceId')
  const measures = terminalMeasures.map(({ column }) => columns.get(column))
  const uptime = columns.get('Uptime')
  const h3Cell = columns.get('H3CellId')
  const version = columns.get('RunningSoftwareVersion')
  const country = columns.get('CountryCode')
  const alerts = columns.get('ActiveAlerts') ?? columns.get('ActiveAlert')
  const width = columns.size
  const cells = new Map<string, string | null>()
  const devices = new Map<string, string>()

  const internDeviceId = (id: string) => {
    let device = devices.get(id)
    if (device === undefined) {
      // A copy, because a substring would retain the whole body in memory for as long as the id is in use.
      device = Buffer.from(toTerminalId(id)).toString()
      devices.set(id, device)
    }
    return device
  }

  const findCell = (digits: string | null) => {
    if (digits === null) return null
    let cell = cells.get(digits)
    if (cell === undefined) {
      cell = toH3Cell(digits)
      cells.set(digits, cell)
    }
    return cell
  }
  const nameAlert = (code: unknown) => {
    if (typeof code !== 'number' && typeof code !== 'string') return []
    const name = alertNames[code]
    if (isAlertName(name)) return [name]
    const unknown = `unknown_${code}`
    if (!isAlertName(unknown)) return []
    unknownAlerts.add(unknown)
    return [unknown]
  }
  const readAlerts = (row: unknown[]) => {
    const value = alerts === undefined ? null : row[alerts]
    const codes = Array.isArray(value) ? value : value === '' ? [] : [value]
    return codes.length === 0 ? NO_ALERTS : limitAlerts(codes.flatMap(nameAlert))
  }

  return (row: unknown[]): TerminalSample | null => {
    const atUs = readMicroseconds(row, at)
    const deviceId = readText(row, id)
    if (row.length !== width || atUs === null || deviceId === null) return null
    return {
      deviceId: internDeviceId(deviceId),
      atMs: Math.floor(atUs / 1000),
      atUs,
      values: readValues(row, measures),
      uptimeS: readNumber(row, uptime),
      h3Cell: findCell(readText(row, h3Cell)),
      softwareVersion: readText(row, version),
      countryCode: readText(row, country),
      alerts: readAlerts(row),
    }
  }
}

const readValues = (row: unknown[], indexes: readonly (number | undefined)[]) => {
  const values: number[] = []
  for (let place = 0; place < indexes.length; place++) values.push(readNumber(row, indexes[place]) ?? Number.NaN)
  return values
}
