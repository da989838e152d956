import {
  ADDRESS_COLUMNS,
  DEVICE_TYPES,
  ROUTER_COLUMNS,
  TERMINAL_ALERTS,
  TERMINAL_COLUMNS,
} from '#starlink/telemetry-columns.ts'
import { hash } from './noise.ts'
import { PURPOSE } from './purposes.ts'

type Kind = 'u' | 'r' | 'i'

/** The layout of one response. Like the vendor, changes column order and alert codes between responses. */
export type Layout = {
  columns: Record<string, string[]>
  /** For each output column, its index in the computed row. */
  order: Record<Kind, number[]>
  codes: Map<string, number>
}

const KNOWN: Record<Kind, readonly string[]> = { u: TERMINAL_COLUMNS, r: ROUTER_COLUMNS, i: ADDRESS_COLUMNS }

export const createLayout = (seed: number, responseNumber: number): Layout => {
  const variant = responseNumber % 16
  const shift = variant % 3 === 2 ? 200 : 0
  const order = {
    u: shuffleColumns('u', seed, variant),
    r: shuffleColumns('r', seed, variant),
    i: shuffleColumns('i', seed, variant),
  }
  const name = (kind: Kind, place: number) => {
    const known = KNOWN[kind][place] ?? ''
    return known === 'ActiveAlerts' && variant % 5 === 4 ? 'ActiveAlert' : known
  }
  return {
    order,
    columns: {
      u: order.u.map((place) => name('u', place)),
      r: order.r.map((place) => name('r', place)),
      i: order.i.map((place) => name('i', place)),
    },
    codes: new Map(Object.entries(TERMINAL_ALERTS).map(([code, alert]) => [alert, Number(code) + shift])),
  }
}

/** The first variant is the documented order. DeviceType is always first. */
const shuffleColumns = (kind: Kind, seed: number, variant: number) => {
  const order = KNOWN[kind].map((_, place) => place)
  if (variant === 0) return order
  for (let last = order.length - 1; last > 1; last--) {
    const other = 1 + (hash(seed, variant, last, PURPOSE.reorder) % last)
    const swapped = order[last] ?? 0
    order[last] = order[other] ?? 0
    order[other] = swapped
  }
  return order
}

export const renderBody = (layout: Layout, rows: readonly string[], extraTypes: Record<string, string> = {}) => {
  const alerts = Object.fromEntries([...layout.codes].map(([alert, code]) => [code, alert]))
  const tail = {
    columnNamesByDeviceType: layout.columns,
    aggregateValues: null,
    aggregateColumnNamesByDeviceType: null,
  }
  const enums = { DeviceType: { ...DEVICE_TYPES, ...extraTypes }, AlertsByDeviceType: { u: alerts } }
  return `{"data":{"values":[${rows.join(',')}],${JSON.stringify(tail).slice(1)},"metadata":${JSON.stringify({ enums })}}`
}
