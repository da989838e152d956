import * as z from 'zod/mini'
import { alertNames, coordinates, looseBoolean } from '#contract/codecs.ts'
import { dataBlocks } from '#contract/data-block.ts'
import { TerminalStatus } from '#contract/terminal-status.ts'
import type { LiveEvent, TerminalDetailsItem, TerminalListItem } from '#contract/terminals.ts'

// The contract's codecs take seconds for 100,000 terminals. So the usual forms are parsed here, and only unusual ones
// by the codecs. The fields are not validated: the server is our own.
type ListWire = z.input<typeof TerminalListItem>
type DetailsWire = z.input<typeof TerminalDetailsItem>
export type ChangeWire = Partial<DetailsWire> & { id: string }

const noAlerts: string[] = []
const noBlocks: TerminalDetailsItem['data_blocks'] = []
const plainPlace = /^\[(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)\]$/

const readAlerts = (value: ListWire['alerts']) => (value === '[]' ? noAlerts : z.decode(alertNames, value))

const readStatus = (value: ListWire['status']) =>
  value === 'online' || value === 'offline' ? value : z.decode(TerminalStatus, value)

function readPlace(value: ListWire['coordinates']) {
  const plain = typeof value === 'string' ? plainPlace.exec(value) : null
  return plain ? ([Number(plain[1]), Number(plain[2])] as [number, number]) : z.decode(coordinates, value)
}

const readMoment = (value: ListWire['lastSeen']) => (value === null ? null : new Date(value))

const readMobile = (value: ListWire['isMobile']) => (typeof value === 'boolean' ? value : z.decode(looseBoolean, value))

const readBlocks = (value: DetailsWire['data_blocks']) => (value === '[]' ? noBlocks : z.decode(dataBlocks, value))

export const readListItem = (wire: ListWire): TerminalListItem => ({
  id: wire.id,
  deviceID: wire.deviceID,
  serviceLine: wire.serviceLine,
  nickname: wire.nickname,
  customname: wire.customname,
  status: readStatus(wire.status),
  alerts: readAlerts(wire.alerts),
  isMobile: readMobile(wire.isMobile),
  coordinates: readPlace(wire.coordinates),
  street: wire.street,
  city: wire.city,
  state: wire.state,
  lastSeen: readMoment(wire.lastSeen),
  h: wire.h,
})

export const readDetailsItem = (wire: DetailsWire): TerminalDetailsItem => ({
  ...wire,
  status: readStatus(wire.status),
  alerts: readAlerts(wire.alerts),
  isMobile: readMobile(wire.isMobile),
  coordinates: readPlace(wire.coordinates),
  lastSeen: readMoment(wire.lastSeen),
  data_blocks: readBlocks(wire.data_blocks),
})

/** A terminal with the changed fields. Fields that it does not have are ignored. */
export function readChange<Item extends TerminalListItem>(before: Item, change: ChangeWire): Item {
  const after: Record<string, unknown> = { ...before }
  for (const [name, value] of Object.entries(change)) {
    if (!(name in before)) continue
    after[name] = value
  }
  if ('status' in change) after.status = readStatus(change.status)
  if ('alerts' in change) after.alerts = readAlerts(change.alerts)
  if ('isMobile' in change) after.isMobile = readMobile(change.isMobile)
  if ('coordinates' in change) after.coordinates = readPlace(change.coordinates)
  if (change.lastSeen !== undefined) after.lastSeen = readMoment(change.lastSeen)
  if ('data_blocks' in change && 'data_blocks' in before) after.data_blocks = readBlocks(change.data_blocks)
  return after as unknown as Item
}

/** The parsed text of an event; see LiveEvent in the contract. */
export type EventWire = z.input<typeof LiveEvent>
