import { parseExact } from './exact-json.ts'

/** The body is not a telemetry response, so no row can be read. */
export class MalformedTelemetry extends Error {
  override name = 'MalformedTelemetry'
}

export interface Layout {
  values: unknown[]
  columnsByType: Record<string, unknown>
  typeNames: Record<string, unknown>
  alertsByType: Record<string, unknown>
}

export const readLayout = (body: string): Layout => {
  let parsed: unknown
  try {
    parsed = parseExact(body)
  } catch {
    throw new MalformedTelemetry('The telemetry response is not JSON.')
  }
  const { data, metadata } = (parsed ?? {}) as {
    data?: { values?: unknown; columnNamesByDeviceType?: unknown }
    metadata?: { enums?: { DeviceType?: unknown; AlertsByDeviceType?: unknown } }
  }
  if (!Array.isArray(data?.values)) throw new MalformedTelemetry('The telemetry response has no data.values.')
  return {
    values: data.values,
    columnsByType: record(data.columnNamesByDeviceType),
    typeNames: record(metadata?.enums?.DeviceType),
    alertsByType: record(metadata?.enums?.AlertsByDeviceType),
  }
}

export const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

export const isListOfNames = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((name) => typeof name === 'string')

const VALUES = '"values":['
const COLUMNS = ',"columnNamesByDeviceType"'

/** The range of the rows in the text and the layout without them; undefined if the text has another structure. */
export const findRows = (body: string): { layout: Layout; from: number; to: number } | undefined => {
  const from = body.indexOf(VALUES) + VALUES.length
  const to = body.lastIndexOf(COLUMNS) - 1
  if (from < VALUES.length || to < from || body[to] !== ']') return undefined
  const layout = readLayout(body.slice(0, from) + body.slice(to))
  // If these values are not empty, the range found above is not that of `data.values`.
  return layout.values.length === 0 ? { layout, from, to } : undefined
}
