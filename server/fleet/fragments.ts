import type { FleetRow } from './fleet-queries.ts'
import { formatItemId } from './list-item.ts'
import { toDetailsWire, toListWire, toMetadataWire, toPoolWire } from './wire-item.ts'

/** What a client may see: all lines or one group's, the list or all details, with or without metadata. */
export interface View {
  group: string | undefined
  details: boolean
  metadata: boolean
}

/** One terminal as fragments of JSON, each `"name":value,…` without braces. A view joins the fragments it may see. */
export interface Item {
  id: string
  list: string
  more: string
  pool: string
  metadata: string
  /** Only administrators see a pool that several customers share. */
  isPoolShared: boolean
}

const stringifyFields = (value: object) => JSON.stringify(value).slice(1, -1)

// Most lines have no pool and no metadata, so they share one string.
export const NO_POOL = stringifyFields({ virtual_plan_name: null, pool_current_usage: null, pool_usage_limit: null })
export const NO_METADATA = stringifyFields({ metadata1: null, metadata2: null, metadata3: null })
const internText = (text: string) => (text === NO_POOL ? NO_POOL : text === NO_METADATA ? NO_METADATA : text)

/** `heartbeat` is null for the past. */
export const toItem = (row: FleetRow, heartbeat: string | null): Item => ({
  id: formatItemId(row),
  list: stringifyFields(toListWire(row, heartbeat)),
  more: stringifyFields(toDetailsWire(row)),
  pool: internText(stringifyFields(toPoolWire(row))),
  metadata: internText(stringifyFields(toMetadataWire(row))),
  isPoolShared: row.pool_name !== null && row.pool_group === null,
})

/** The item for one view, without braces. */
export const formatItem = (item: Item, { group, details, metadata }: View) => {
  if (!details) return item.list
  const pool = item.isPoolShared && group !== undefined ? NO_POOL : item.pool
  return metadata ? `${item.list},${item.more},${pool},${item.metadata}` : `${item.list},${item.more},${pool}`
}

const parseFragment = (text: string): Record<string, unknown> => JSON.parse(`{${text}}`)

const changedFields = (before: string, after: string) => {
  if (before === after) return ''
  const known = parseFragment(before)
  const changed = Object.entries(parseFragment(after)).filter(([name, value]) => known[name] !== value)
  return stringifyFields(Object.fromEntries(changed))
}

/** The changed fields of an item, in the same fragments. `list` always contains the id. */
export const diffItem = (before: Item, after: Item): Item => ({
  id: after.id,
  list: [stringifyFields({ id: after.id }), changedFields(before.list, after.list)].filter(Boolean).join(),
  more: changedFields(before.more, after.more),
  pool: changedFields(before.pool, after.pool),
  metadata: changedFields(before.metadata, after.metadata),
  isPoolShared: after.isPoolShared,
})

/** The change for one view, or undefined if nothing visible to it changed. */
export const formatChange = (change: Item, { group, details, metadata }: View) => {
  const seen = [change.list]
  if (details) {
    seen.push(change.more)
    if (!change.isPoolShared || group === undefined) seen.push(change.pool)
    if (metadata) seen.push(change.metadata)
  }
  const text = seen.filter(Boolean).join()
  return text.includes(',"') ? text : undefined
}

export const isSameItem = (one: Item | undefined, other: Item | undefined) =>
  one !== undefined &&
  other !== undefined &&
  one.id === other.id &&
  one.list === other.list &&
  one.more === other.more &&
  one.pool === other.pool &&
  one.metadata === other.metadata &&
  one.isPoolShared === other.isPoolShared
