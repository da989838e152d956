import { parseExact } from './exact-json.ts'
import { type AddressSample, addressReader } from './telemetry-address.ts'
import {
  ADDRESS_COLUMNS,
  DEVICE_TYPES,
  OPTIONAL_COLUMNS,
  ROUTER_COLUMNS,
  TERMINAL_COLUMNS,
} from './telemetry-columns.ts'
import { type RouterSample, routerReader } from './telemetry-router.ts'
import { type TerminalSample, terminalReader } from './telemetry-terminal.ts'

export type TelemetryBatch = {
  terminals: TerminalSample[]
  routers: RouterSample[]
  addresses: AddressSample[]
  /** Names we could not place: kept so that the caller can log each once. */
  unknown: { columns: string[]; alerts: string[]; deviceTypes: string[] }
  /** Rows that could not be read. */
  skipped: number
  /** Rows of every kind in the body: equal to the batch size asked for means that more is waiting. */
  rows: number
}

/** The body as a whole is no telemetry answer, so no row of it can be read. */
export class MalformedTelemetry extends Error {
  override name = 'MalformedTelemetry'
}

export const parseTelemetry = (body: string): TelemetryBatch => {
  const { values, columnsByType, typeNames, alertsByType } = readLayout(body)
  const batch: TelemetryBatch = {
    terminals: [],
    routers: [],
    addresses: [],
    unknown: { columns: [], alerts: [], deviceTypes: [] },
    skipped: 0,
    rows: values.length,
  }
  const unknownTypes = new Set<string>()
  const unknownAlerts = new Set<string>()
  const unknownColumns = new Set<string>()

  const readerFor = (type: string): ((row: unknown[]) => boolean) | null => {
    const kind = typeNames[type] ?? DEVICE_TYPES[type]
    const columns = columnsByType[type]
    if (!Array.isArray(columns)) return null
    const place = (known: readonly string[]) => {
      for (const name of columns) {
        if (!known.includes(name) && !OPTIONAL_COLUMNS.includes(name)) unknownColumns.add(`${type}.${name}`)
      }
      return new Map(columns.map((name, index) => [String(name), index]))
    }
    if (kind === 'UserTerminal') {
      const read = terminalReader(place(TERMINAL_COLUMNS), alertsByType[type] ?? {}, unknownAlerts)
      return (row) => keep(batch.terminals, read(row))
    }
    if (kind === 'Router') {
      const read = routerReader(place(ROUTER_COLUMNS))
      return (row) => keep(batch.routers, read(row))
    }
    if (kind === 'IpAllocs') {
      const read = addressReader(place(ADDRESS_COLUMNS))
      return (row) => keep(batch.addresses, read(row))
    }
    unknownTypes.add(kind ?? type)
    return () => true
  }

  const readers = new Map<string, ReturnType<typeof readerFor>>()
  for (const row of values) {
    const type = Array.isArray(row) ? row[0] : undefined
    if (typeof type !== 'string') {
      batch.skipped++
      continue
    }
    let reader = readers.get(type)
    if (reader === undefined) {
      reader = readerFor(type)
      readers.set(type, reader)
    }
    if (!reader?.(row)) batch.skipped++
  }
  batch.unknown = { columns: [...unknownColumns], alerts: [...unknownAlerts], deviceTypes: [...unknownTypes] }
  return batch
}

const keep = <T>(samples: T[], sample: T | null) => {
  if (sample === null) return false
  samples.push(sample)
  return true
}

const readLayout = (body: string) => {
  let parsed: unknown
  try {
    parsed = parseExact(body)
  } catch {
    throw new MalformedTelemetry('The telemetry answer is not JSON.')
  }
  const { data, metadata } = (parsed ?? {}) as {
    data?: { values?: unknown; columnNamesByDeviceType?: unknown }
    metadata?: { enums?: { DeviceType?: unknown; AlertsByDeviceType?: unknown } }
  }
  if (!Array.isArray(data?.values)) throw new MalformedTelemetry('The telemetry answer holds no data.values.')
  return {
    values: data.values as unknown[][],
    columnsByType: record(data.columnNamesByDeviceType) as Record<string, string[]>,
    typeNames: record(metadata?.enums?.DeviceType) as Record<string, string>,
    alertsByType: record(metadata?.enums?.AlertsByDeviceType) as Record<string, Record<string, string>>,
  }
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
