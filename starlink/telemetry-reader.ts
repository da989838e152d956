import { type AddressSample, createAddressReader } from './telemetry-address.ts'
import { readMicroseconds, readText } from './telemetry-cell.ts'
import {
  ADDRESS_COLUMNS,
  DEVICE_TYPES,
  OPTIONAL_COLUMNS,
  ROUTER_COLUMNS,
  TERMINAL_COLUMNS,
} from './telemetry-columns.ts'
import { isListOfNames, type Layout, record } from './telemetry-layout.ts'
import { createRouterReader, type RouterSample } from './telemetry-router.ts'
import { createTerminalReader, type TerminalSample } from './telemetry-terminal.ts'

export type TelemetryBatch = {
  terminals: TerminalSample[]
  /** The newest row of each router. */
  routers: RouterSample[]
  /** The times of all router rows. */
  routerTimesMs: number[]
  addresses: AddressSample[]
  /** Unknown names, so that the caller can log each once. */
  unknown: { columns: string[]; alerts: string[]; deviceTypes: string[] }
  /** Rows that could not be read. */
  skipped: number
  /** The number of rows in the body. If it equals the requested batch size, more rows are waiting. */
  rows: number
}

export const emptyBatch = (): TelemetryBatch => ({
  terminals: [],
  routers: [],
  routerTimesMs: [],
  addresses: [],
  unknown: { columns: [], alerts: [], deviceTypes: [] },
  skipped: 0,
  rows: 0,
})

export interface TypeReader {
  /** Returns whether the row could be read. */
  read: (row: unknown[]) => boolean
  /** Set if only the newest row of each device is needed: how to read the id and time of a row. */
  newestOnly?: {
    /** The number of leading cells that contain the id and time. */
    cells: number
    width: number
    readKey: (row: unknown[]) => { id: string; atUs: number } | null
  }
}

/** Reads rows into a batch with the columns and enums of the same response. */
export const createBatchReader = ({ columnsByType, typeNames, alertsByType }: Layout) => {
  const batch = emptyBatch()
  const unknownTypes = new Set<string>()
  const unknownAlerts = new Set<string>()
  const unknownColumns = new Set<string>()

  const createTypeReader = (type: string): TypeReader | null => {
    const name = typeNames[type]
    const kind = typeof name === 'string' ? name : Object.hasOwn(DEVICE_TYPES, type) ? DEVICE_TYPES[type] : type
    const columns = columnsByType[type]
    if (!isListOfNames(columns)) return null
    const place = (known: readonly string[]) => {
      for (const name of columns) {
        if (!known.includes(name) && !OPTIONAL_COLUMNS.includes(name)) unknownColumns.add(`${type}.${name}`)
      }
      return new Map(columns.map((name, index) => [name, index]))
    }
    if (kind === 'UserTerminal') {
      const read = createTerminalReader(place(TERMINAL_COLUMNS), record(alertsByType[type]), unknownAlerts)
      return { read: (row) => append(batch.terminals, read(row)) }
    }
    if (kind === 'Router') return createNewestRouterReader(batch, place(ROUTER_COLUMNS))
    if (kind === 'IpAllocs') {
      const read = createAddressReader(place(ADDRESS_COLUMNS))
      return { read: (row) => append(batch.addresses, read(row)) }
    }
    if (kind) unknownTypes.add(kind)
    return { read: () => true }
  }

  const readers = new Map<string, TypeReader | null>()
  return {
    batch,
    getReader: (type: string): TypeReader | null => {
      let reader = readers.get(type)
      if (reader === undefined) {
        reader = createTypeReader(type)
        readers.set(type, reader)
      }
      return reader
    },
    finish: (): TelemetryBatch => {
      batch.unknown = { columns: [...unknownColumns], alerts: [...unknownAlerts], deviceTypes: [...unknownTypes] }
      return batch
    },
  }
}

const append = <T>(samples: T[], sample: T | null) => {
  if (sample === null) return false
  samples.push(sample)
  return true
}

const createNewestRouterReader = (batch: TelemetryBatch, columns: Map<string, number>): TypeReader => {
  const timeAt = columns.get('UtcTimestampNs')
  const idAt = columns.get('DeviceId')
  const read = createRouterReader(columns)
  const places = new Map<string, number>()
  const readKey = (row: unknown[]) => {
    const atUs = readMicroseconds(row, timeAt)
    const id = readText(row, idAt)
    if (atUs === null || id === null) return null
    return { id, atUs }
  }
  return {
    read: (row) => {
      const sample = read(row)
      if (sample === null) return false
      batch.routerTimesMs.push(sample.atMs)
      const place = places.get(sample.routerId)
      if (place === undefined) {
        places.set(sample.routerId, batch.routers.length)
        batch.routers.push(sample)
      } else if (sample.atUs > (batch.routers[place] as RouterSample).atUs) batch.routers[place] = sample
      return true
    },
    newestOnly: { cells: Math.max(timeAt ?? 0, idAt ?? 0) + 1, width: columns.size, readKey },
  }
}
