import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Database } from '../db.ts'
import { type FleetRow, listFleetRows } from './fleet-queries.ts'
import { changeFor, changeOf, type Item, isSameItem, itemOf, textFor, type View } from './fragments.ts'

interface Line {
  group: string
  items: Item[]
}

/** What is remembered of a line's last change, for those who come back. */
interface Trail {
  count: number
  countBefore: number
  /** What changed in items that stayed; absent when the line came, went, or changed hands or items. */
  changes: Item[] | undefined
  /** Groups that have seen the line, and items that were on it once. */
  groups: string[]
  goneIds: string[]
}

/** What happened to one view since a revision: whole items, changed fields of items, and items that are gone. */
export interface Delta {
  whole: string[]
  changes: string[]
  goneIds: string[]
}

/** Once every line has changed, the changes are as much to send as the list. */
const CHANGES_KEPT_MIN = 20_000
const CHANGES_KEPT_PER_LINE = 4

/**
 * One tenant's fleet in memory: the JSON text of each item in pieces, made anew only when its line changed. A view has
 * its own revision by group: changes in other groups do not touch it.
 */
export const createSnapshot = (database: Database, tenantId: string) => {
  // Revisions of another process, or of this one before a restart, must never look known.
  const epoch = randomBytes(6).toString('base64url')
  const lines = new Map<number, Line>()
  const trails = new Map<number, Trail>()
  const countOfGroup = new Map<string, number>()
  /** The line of each change; the first is that of number `firstKnown + 1`. */
  let changedLines: number[] = []
  let count = 0
  let firstKnown = 0

  const revisionOf = (at: number) => `${epoch}.${at}`
  const countOf = (group: string | undefined) =>
    group === undefined ? count : (countOfGroup.get(group) ?? Math.min(count, 1))
  const sees = (group: string | undefined, line: Line) => group === undefined || line.group === group

  const put = (lineId: number, next: Line | undefined) => {
    const before = lines.get(lineId)
    if (isSameLine(before, next)) return
    count++
    changedLines.push(lineId)
    for (const line of [before, next]) if (line) countOfGroup.set(line.group, count)
    trails.set(lineId, trailOf(count, trails.get(lineId), before, next))
    if (next) lines.set(lineId, next)
    else lines.delete(lineId)
  }

  const forgetOldChanges = () => {
    const kept = Math.max(CHANGES_KEPT_MIN, CHANGES_KEPT_PER_LINE * lines.size)
    if (changedLines.length <= kept * 2) return
    firstKnown += changedLines.length - kept
    changedLines = changedLines.slice(-kept)
  }

  const linesSince = (since: number) => new Set(changedLines.slice(since - firstKnown))

  return {
    /** Reads the named lines anew, or all; tells whether anything is different now. */
    refresh: async (lineIds: readonly number[] | 'all'): Promise<boolean> => {
      const before = count
      const isFirst = count === 0
      const rows = await database.transaction({ tenantId }, (db) => listFleetRows(db, tenantId, lineIds))
      const found = await groupByLine(rows)
      for (const id of lineIds === 'all' ? [...lines.keys()] : lineIds) if (!found.has(id)) put(id, undefined)
      if (isFirst) {
        // Nobody has followed from before the beginning, so there is nothing to remember of it.
        count = firstKnown = 1
        for (const [id, line] of found) {
          lines.set(id, line)
          countOfGroup.set(line.group, count)
        }
        return true
      }
      for (const [id, line] of found) put(id, line)
      forgetOldChanges()
      return count !== before
    },

    revision: ({ group }: Pick<View, 'group'>) => revisionOf(countOf(group)),

    /** The answer's body; `revision` is what the stream's events are compared with. */
    body: (view: View): string => {
      const texts: string[] = []
      for (const line of lines.values())
        if (sees(view.group, line)) for (const item of line.items) texts.push(textFor(item, view))
      const data = texts.length > 0 ? `{${texts.join('},{')}}` : ''
      return `{"data":[${data}],"revision":"${revisionOf(countOf(view.group))}"}`
    },

    /** What a view's reader at `revision` has missed; undefined when that is not known any more. */
    deltaSince: (view: View, revision: string): Delta | undefined => {
      // A group in which nothing happens keeps a revision that is older than anything that is remembered.
      if (revision === revisionOf(countOf(view.group))) return { whole: [], changes: [], goneIds: [] }
      const [itsEpoch, itsCount] = revision.split('.')
      const since = Number(itsCount)
      if (itsEpoch !== epoch || !Number.isSafeInteger(since) || since > count || since < firstKnown) return undefined
      const delta: Delta = { whole: [], changes: [], goneIds: [] }
      for (const lineId of linesSince(since)) {
        const line = lines.get(lineId)
        const { groups, goneIds, changes, countBefore } = trails.get(lineId) as Trail
        if (view.group !== undefined && !groups.includes(view.group)) continue
        delta.goneIds.push(...goneIds)
        if (!line) continue
        if (!sees(view.group, line)) for (const { id } of line.items) delta.goneIds.push(id)
        else if (!changes || countBefore > since)
          for (const item of line.items) delta.whole.push(`{${textFor(item, view)}}`)
        else for (const change of changes) addChange(delta, changeFor(change, view))
      }
      return delta
    },
  }
}

export type Snapshot = ReturnType<typeof createSnapshot>

const addChange = (delta: Delta, text: string | undefined) => {
  if (text !== undefined) delta.changes.push(`{${text}}`)
}

const isSameLine = (one: Line | undefined, other: Line | undefined) =>
  one?.group === other?.group &&
  one?.items.length === other?.items.length &&
  (one?.items ?? []).every((item, index) => isSameItem(item, other?.items[index]))

const NONE: string[] = []

/** A group or an item that was told of once may have to be told that it is gone, however often the line changed since. */
const trailOf = (count: number, trail: Trail | undefined, before: Line | undefined, next: Line | undefined): Trail => {
  const present = new Set(next?.items.map(({ id }) => id))
  const once = new Set([...(trail?.goneIds ?? []), ...(before?.items ?? []).map(({ id }) => id), ...present])
  const groups = new Set([...(trail?.groups ?? []), ...[before, next].flatMap((line) => (line ? [line.group] : []))])
  return {
    count,
    countBefore: trail?.count ?? 0,
    changes: changesBetween(before, next),
    groups: trail && trail.groups.length === groups.size ? trail.groups : [...groups],
    goneIds: once.size === present.size ? NONE : [...once].filter((id) => !present.has(id)),
  }
}

const changesBetween = (before: Line | undefined, next: Line | undefined): Item[] | undefined => {
  if (!before || !next || before.group !== next.group || before.items.length !== next.items.length) return undefined
  const pairs = next.items.map((item, index) => [before.items[index] as Item, item] as const)
  if (pairs.some(([old, item]) => old.id !== item.id || old.isPoolShared !== item.isPoolShared)) return undefined
  return pairs.filter(([old, item]) => !isSameItem(old, item)).map(([old, item]) => changeOf(old, item))
}

const ROWS_AT_A_TIME = 2_000

/** Others get their turn in between: a hundred thousand rows take seconds. */
const groupByLine = async (rows: readonly FleetRow[]) => {
  const found = new Map<number, Line>()
  for (const [index, row] of rows.entries()) {
    if (index > 0 && index % ROWS_AT_A_TIME === 0) await setImmediate()
    const item = itemOf(row)
    const line = found.get(row.line_id)
    if (line) line.items.push(item)
    else found.set(row.line_id, { group: row.group_name, items: [item] })
  }
  return found
}
