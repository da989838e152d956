import { parseExact } from '#starlink/exact-json.ts'
import { toTerminalId } from '#starlink/telemetry-cell.ts'

type Layout = { data: { values: unknown[][]; columnNamesByDeviceType: Record<string, string[]> } }

/**
 * Finds the newest values of each terminal under column names unknown to this version, by device. Parses the body again,
 * but only for a batch with such columns.
 */
export const readUnknownColumns = (body: string, unknown: readonly string[]): Map<string, Record<string, unknown>> => {
  const { data } = parseExact(body) as Layout
  const newest = new Map<string, { at: string; values: Record<string, unknown> }>()
  for (const [type, columns] of Object.entries(data.columnNamesByDeviceType)) {
    const extra = [...columns.entries()].filter(([, name]) => unknown.includes(`${type}.${name}`))
    const deviceAt = columns.indexOf('DeviceId')
    const timeAt = columns.indexOf('UtcTimestampNs')
    if (extra.length === 0 || deviceAt < 0 || timeAt < 0) continue
    for (const row of data.values) {
      if (!Array.isArray(row) || row[0] !== type || row.length !== columns.length) continue
      const device = toTerminalId(String(row[deviceAt]))
      const at = String(row[timeAt])
      if ((newest.get(device)?.at ?? '') >= at) continue
      newest.set(device, { at, values: Object.fromEntries(extra.map(([index, name]) => [name, row[index]])) })
    }
  }
  return new Map([...newest].map(([device, { values }]) => [device, values]))
}
