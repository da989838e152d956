import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Database } from '../platform/database/database.ts'
import { type FleetRow, listFleetRows } from './fleet-queries.ts'
import { diffItem, formatChange, formatItem, type Item, isSameItem, toItem, type View } from './fragments.ts'
import { createLineStore } from './line-store.ts'
import type { Line } from './text-page.ts'

/** What is remembered of a line's last change, for those who come back. */
interface LineTrail {
  count: number
  countBefore: number
  /** What changed in items that stayed; absent when the line came, went, or changed hands or items, or it is long ago. */
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

/** How many changes are remembered, at least and for each line. */
interface RetentionLimits {
  /** Once every line has changed, the changes are as much to send as the list. */
  changes: { min: number; perLine: number }
  /** Which fields changed is for those who follow, a second or two behind; whoever comes back later gets whole items. */
  fields: { min: number; perLine: number }
}

const RETENTION: RetentionLimits = { changes: { min: 20_000, perLine: 2 }, fields: { min: 1_000, perLine: 0.25 } }

/**
 * One tenant's fleet in memory: the JSON text of each item in pieces, made anew only when its line changed. A view has
 * its own revision by group: changes in other groups do not touch it.
 */
export const createSnapshot = (database: Database, tenantId: string, retention = RETENTION) => {
  // Revisions of another process, or of this one before a restart, must never look known.
  const epoch = randomBytes(6).toString('base64url')
  const lines = createLineStore()
  const trails = new Map<number, LineTrail>()
  const changeNumbersByGroup = new Map<string, number>()
  /** The line of each change; the first is that of number `firstKnown + 1`. */
  let changedLines: number[] = []
  let count = 0
  let firstKnown = 0
  /** Of changes up to this one the fields are forgotten, and the trail too where it tells nothing else. */
  let lastPurgedFields = 0

  const formatRevision = (at: number) => `${epoch}.${at}`
  const getChangeNumber = (group: string | undefined) =>
    group === undefined ? count : (changeNumbersByGroup.get(group) ?? Math.min(count, 1))
  const sees = (group: string | undefined, line: Line) => group === undefined || line.group === group

  const getLineId = (at: number) => changedLines[at - firstKnown - 1] as number

  const recordChange = (lineId: number, before: Line | undefined, next: Line | undefined) => {
    count++
    changedLines.push(lineId)
    for (const line of [before, next]) if (line) changeNumbersByGroup.set(line.group, count)
    trails.set(lineId, extendTrail(count, lastPurgedFields, trails.get(lineId), before, next))
  }

  const applyLines = (found: readonly (readonly [number, Line | undefined])[]) => {
    const changed = new Map<number, Line | undefined>()
    for (const [lineId, next] of found) {
      const before = lines.get(lineId)
      if (isSameLine(before, next)) continue
      recordChange(lineId, before, next)
      changed.set(lineId, next)
    }
    lines.apply(changed)
  }

  const getRetainedCount = ({ min, perLine }: RetentionLimits['changes']) =>
    Math.max(min, Math.ceil(perLine * lines.count()))

  const purgeFields = () => {
    for (const last = count - getRetainedCount(retention.fields); lastPurgedFields < last; lastPurgedFields++) {
      const lineId = getLineId(lastPurgedFields + 1)
      const trail = trails.get(lineId)
      if (trail?.count !== lastPurgedFields + 1) continue
      if (trail.groups.length === 1 && trail.goneIds.length === 0) trails.delete(lineId)
      else trail.changes = undefined
    }
  }

  const purgeOldChanges = () => {
    purgeFields()
    const kept = getRetainedCount(retention.changes)
    if (changedLines.length <= kept * 1.5) return
    const last = count - kept
    for (let at = firstKnown + 1; at <= last; at++)
      if (trails.get(getLineId(at))?.count === at) trails.delete(getLineId(at))
    firstKnown = last
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
      if (isFirst) {
        // Nobody has followed from before the beginning, so there is nothing to remember of it.
        for await (const some of inTurns([...found])) lines.apply(new Map(some))
        for (const { group } of found.values()) changeNumbersByGroup.set(group, 1)
        count = firstKnown = lastPurgedFields = 1
        return true
      }
      const gone = [...(lineIds === 'all' ? lines.lineIds() : lineIds)].filter((id) => !found.has(id))
      for await (const some of inTurns([...gone.map((id) => [id, undefined] as const), ...found])) {
        applyLines(some)
        purgeOldChanges()
      }
      return count !== before
    },

    revision: ({ group }: Pick<View, 'group'>) => formatRevision(getChangeNumber(group)),

    lineCount: lines.count,

    /** The answer's body; `revision` is what the stream's events are compared with. */
    body: (view: View): Buffer =>
      lines.format(view, '{"data":[', `],"revision":"${formatRevision(getChangeNumber(view.group))}"}`),

    /** What a view's reader at `revision` has missed; undefined when that is not known any more. */
    deltaSince: (view: View, revision: string): Delta | undefined => {
      // A group in which nothing happens keeps a revision that is older than anything that is remembered.
      if (revision === formatRevision(getChangeNumber(view.group))) return { whole: [], changes: [], goneIds: [] }
      const [itsEpoch, itsCount] = revision.split('.')
      const since = Number(itsCount)
      if (itsEpoch !== epoch || !Number.isSafeInteger(since) || since > count || since < firstKnown) return undefined
      const delta: Delta = { whole: [], changes: [], goneIds: [] }
      for (const lineId of linesSince(since)) {
        const line = lines.get(lineId)
        const trail = trails.get(lineId)
        const isOfOthers = line && !sees(view.group, line)
        if (trail ? view.group !== undefined && !trail.groups.includes(view.group) : isOfOthers) continue
        delta.goneIds.push(...(trail?.goneIds ?? NONE))
        if (!line) continue
        if (isOfOthers) for (const { id } of line.items) delta.goneIds.push(id)
        else if (!trail?.changes || trail.countBefore > since)
          for (const item of line.items) delta.whole.push(`{${formatItem(item, view)}}`)
        else for (const change of trail.changes) addChange(delta, formatChange(change, view))
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

/**
 * A group or an item that was told of once may have to be told that it is gone, however often the line changed since.
 * A trail that was forgotten is of a change not after `lastWhole`.
 */
const extendTrail = (
  count: number,
  lastWhole: number,
  trail: LineTrail | undefined,
  before: Line | undefined,
  next: Line | undefined,
): LineTrail => {
  const present = new Set(next?.items.map(({ id }) => id))
  const once = new Set([...(trail?.goneIds ?? []), ...(before?.items ?? []).map(({ id }) => id), ...present])
  const groups = new Set([...(trail?.groups ?? []), ...[before, next].flatMap((line) => (line ? [line.group] : []))])
  return {
    count,
    countBefore: trail?.count ?? lastWhole,
    changes: changesBetween(before, next),
    groups: trail && trail.groups.length === groups.size ? trail.groups : [...groups],
    goneIds: once.size === present.size ? NONE : [...once].filter((id) => !present.has(id)),
  }
}

const changesBetween = (before: Line | undefined, next: Line | undefined): Item[] | undefined => {
  if (!before || !next || before.group !== next.group || before.items.length !== next.items.length) return undefined
  const pairs = next.items.map((item, index) => [before.items[index] as Item, item] as const)
  if (pairs.some(([old, item]) => old.id !== item.id || old.isPoolShared !== item.isPoolShared)) return undefined
  return pairs.filter(([old, item]) => !isSameItem(old, item)).map(([old, item]) => diffItem(old, item))
}

const AT_A_TIME = 2_000

/** Others get their turn in between: a hundred thousand lines take seconds. */
async function* inTurns<T>(all: readonly T[]) {
  for (let at = 0; at < all.length; at += AT_A_TIME) {
    if (at > 0) await setImmediate()
    yield all.slice(at, at + AT_A_TIME)
  }
}

const groupByLine = async (rows: readonly FleetRow[]) => {
  const found = new Map<number, Line>()
  for await (const some of inTurns(rows))
    for (const row of some) {
      const item = toItem(row)
      const line = found.get(row.line_id)
      if (line) line.items.push(item)
      else found.set(row.line_id, { group: row.group_name, items: [item] })
    }
  return found
}
