import { latLngToCell } from 'h3-js'
import { terminalMeasures } from '#starlink/telemetry-measures.ts'
import type { FleetState } from './changes.ts'
import type { Fleet, Terminal } from './fleet.ts'
import { getAddresses, getAddressKey, type IpAddresses } from './ip-addresses.ts'
import type { Layout } from './layout.ts'
import { hash } from './noise.ts'
import { getPresence } from './presence.ts'
import { PURPOSE } from './purposes.ts'
import { getSoftwareVersion, type Reading, readTerminal, SLOT_MS } from './reading.ts'
import { type RouterReading, readRouter } from './router-reading.ts'
import { getPosition } from './routes.ts'

const H3_RESOLUTION = 5
const TOMBSTONE_AFTER_MS = 600_000
const ADDRESS_EVERY_SLOTS = 20

// join() makes one flat string; a chain of + would retain every piece of every row until the response is written.
const arrange = (cells: readonly (string | number | boolean)[], order: readonly number[]) =>
  `[${order.map((place) => cells[place]).join(',')}]`

/** Nanoseconds do not fit a double, so random digits are appended to the milliseconds. */
const formatNanoseconds = ({ seed }: Fleet, who: number, atMs: number) =>
  `${atMs}${String(hash(seed, who, Math.floor(atMs / SLOT_MS), PURPOSE.nanoseconds) % 1_000_000).padStart(6, '0')}`

export const renderTerminalRow = (
  { fleet, changes }: FleetState,
  layout: Layout,
  terminal: Terminal,
  atMs: number,
): string | null => {
  const reading = readTerminal(fleet, changes, terminal, atMs)
  return reading && arrange(listTerminalCells(fleet, layout, terminal, reading, atMs), layout.order.u)
}

const listTerminalCells = (fleet: Fleet, layout: Layout, terminal: Terminal, reading: Reading, atMs: number) => [
  '"u"',
  formatNanoseconds(fleet, terminal.index, atMs),
  `"ut${terminal.terminalId}"`,
  ...terminalMeasures.map(({ name }) => reading[name]),
  reading.uptimeS,
  toDecimal(terminal, getCell(fleet.seed, terminal, atMs)),
  '-1',
  `"${reading.softwareVersion}"`,
  '"US"',
  terminal.kind === 'vessel' ? 'true' : 'false',
  `[${reading.alerts.map((alert) => layout.codes.get(alert)).join(',')}]`,
]

const newestCells = new WeakMap<Terminal, { cell: string; decimal: string }>()

/** Only the newest cell of a terminal is cached: vessels constantly enter new ones. */
const toDecimal = (terminal: Terminal, cell: string) => {
  let newest = newestCells.get(terminal)
  if (newest?.cell !== cell) {
    newest = { cell, decimal: BigInt(`0x${cell}`).toString() }
    newestCells.set(terminal, newest)
  }
  return newest.decimal
}

const cellsByTerminal = new WeakMap<Terminal, string>()

/** The hexadecimal H3 cell of a terminal. */
export const getCell = (seed: number, terminal: Terminal, atMs: number): string => {
  const known = cellsByTerminal.get(terminal)
  if (known !== undefined) return known
  const [latitude, longitude] = getPosition(seed, terminal, atMs)
  const cell = latLngToCell(latitude, longitude, H3_RESOLUTION)
  if (terminal.kind !== 'vessel' && terminal.kind !== 'truck') cellsByTerminal.set(terminal, cell)
  return cell
}

export const renderRouterRow = (
  { fleet, changes }: FleetState,
  layout: Layout,
  terminal: Terminal,
  nth: number,
  atMs: number,
): string | null => {
  const reading = readTerminal(fleet, changes, terminal, atMs)
  const routerId = terminal.routerIds[nth]
  if (!reading || routerId === undefined) return null
  const router = readRouter(fleet, terminal, nth, reading, atMs)
  return arrange(listRouterCells(fleet, terminal, routerId, router, atMs), layout.order.r)
}

/** Minimum, maximum and mean per band. */
const RATES = {
  received2Ghz: [41, 78, 60.5],
  received5Ghz: [180, 433, 310.5],
  sent2Ghz: [52, 65, 58.5],
  sent5Ghz: [160, 338.6154, 244.2],
  signal2Ghz: [-75, -57, -65.75],
  signal5Ghz: [-70, -55, -62],
} as const
const UNKNOWN = ['null', 'null', 'null'] as const

const listRouterCells = (fleet: Fleet, terminal: Terminal, routerId: string, router: RouterReading, atMs: number) => [
  '"r"',
  formatNanoseconds(fleet, -1 - terminal.index, atMs),
  `"${routerId}"`,
  router.uptimeS,
  `"${getSoftwareVersion(fleet.seed, terminal, atMs)}"`,
  router.isRepeater,
  router.isBypassed,
  router.pingDrop,
  router.latencyMs,
  router.pingDrop,
  router.latencyMs,
  '0',
  router.dishLatencyMs,
  router.clients,
  router.clients2Ghz,
  router.clients5Ghz,
  router.clientsEthernet,
  router.receivedBytes,
  router.sentBytes,
  ...(router.clients2Ghz > 0 ? RATES.received2Ghz : UNKNOWN),
  ...(router.clients5Ghz > 0 ? RATES.received5Ghz : UNKNOWN),
  ...(router.clients2Ghz > 0 ? RATES.sent2Ghz : UNKNOWN),
  ...(router.clients5Ghz > 0 ? RATES.sent5Ghz : UNKNOWN),
  ...(router.clients2Ghz > 0 ? RATES.signal2Ghz : UNKNOWN),
  ...(router.clients5Ghz > 0 ? RATES.signal5Ghz : UNKNOWN),
  `"ut${terminal.terminalId}"`,
]

const NO_ADDRESSES: IpAddresses = { ipv4: [], ipv6Ue: [], ipv6Cpe: [] }

/** Sent every five minutes and on a change. Ten minutes after a terminal went offline, a tombstone is sent. */
export const renderAddressRow = (
  state: FleetState,
  layout: Layout,
  terminal: Terminal,
  atMs: number,
): string | null => {
  const { fleet, changes } = state
  const presence = getPresence(fleet, changes, terminal, atMs)
  if (!presence.reports) {
    const awayMs = atMs - presence.sinceMs
    const isDue = presence.sinceMs > 0 && awayMs >= TOMBSTONE_AFTER_MS && awayMs < TOMBSTONE_AFTER_MS + SLOT_MS
    return isDue ? renderAddresses(state, layout, terminal, NO_ADDRESSES, atMs) : null
  }
  const isDue =
    Math.floor(atMs / SLOT_MS) % ADDRESS_EVERY_SLOTS === terminal.index % ADDRESS_EVERY_SLOTS ||
    getAddressKey(fleet, changes, terminal, atMs) !== getAddressKey(fleet, changes, terminal, atMs - SLOT_MS)
  return isDue ? renderAddresses(state, layout, terminal, getAddresses(fleet, changes, terminal, atMs), atMs) : null
}

const renderAddresses = (
  { fleet }: FleetState,
  layout: Layout,
  terminal: Terminal,
  addresses: IpAddresses,
  atMs: number,
) =>
  arrange(
    [
      '"i"',
      formatNanoseconds(fleet, terminal.index, atMs),
      `"ip-ut${terminal.terminalId}"`,
      `"${fleet.accounts[terminal.account]?.number ?? ''}"`,
      JSON.stringify(addresses.ipv4),
      JSON.stringify(addresses.ipv6Ue),
      JSON.stringify(addresses.ipv6Cpe),
    ],
    layout.order.i,
  )
