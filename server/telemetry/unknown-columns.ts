import { parseExact } from '#starlink/exact-json.ts'
import { readMicroseconds, readText, toAnyValue, toTerminalId } from '#starlink/telemetry-cell.ts'
import { isListOfNames } from '#starlink/telemetry-layout.ts'

type Layout = { data: { values: unknown[]; columnNamesByDeviceType: Record<string, unknown> } }

const MAX_COLUMNS = 100
const MAX_NAME = 300

/**
 * Finds the newest values of each terminal under column names unknown to this version, by device. Parses the body again,
 * but only for a batch with such columns.
 */
export const readUnknownColumns = (
  body: string,
  unknown: ReadonlySet<string>,
): Map<string, Record<string, unknown>> => {
  const { data } = parseExact(body) as Layout
  const newest = new Map<string, { atUs: number; values: Record<string, unknown> }>()
  for (const [type, columns] of Object.entries(data.columnNamesByDeviceType)) {
    if (!isListOfNames(columns)) continue
    const extra = [...columns.entries()]
      .filter(([, name]) => name.length <= MAX_NAME && unknown.has(`${type}.${name}`))
      .slice(0, MAX_COLUMNS)
    const deviceAt = columns.indexOf('DeviceId')
    const timeAt = columns.indexOf('UtcTimestampNs')
    if (extra.length === 0 || deviceAt < 0 || timeAt < 0) continue
    for (const row of data.values) {
      if (!Array.isArray(row) || row[0] !== type || row.length !== columns.length) continue
      const id = readText(row, deviceAt)
      const atUs = readMicroseconds(row, timeAt)
      if (id === null || atUs === null) continue
      const device = toTerminalId(id)
      if ((newest.get(device)?.atUs ?? 0) >= atUs) continue
      newest.set(device, { atUs, values: Object.fromEntries(extra.map(([at, name]) => [name, toAnyValue(row[at])])) })
    }
  }
  return new Map([...newest].map(([device, { values }]) => [device, values]))
}
