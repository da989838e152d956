import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Database } from '../platform/database/database.ts'
import { listFleetRows, type PresentRow } from './fleet-queries.ts'
import { diffItem, formatChange, formatItem, type Item, isSameItem, toItem, type View } from './fragments.ts'
import { createHeartbeats } from './heartbeats.ts'
import { createLineStore } from './line-store.ts'
import type { Line } from './text-page.ts'

/** The last change of a line, retained for clients that reconnect. */
interface LineTrail {
  count: number
  countBefore: number
  /** Changed fields. Undefined if the line was added, removed or moved, its items changed, or the fields were purged. */
  changes: Item[] | undefined
  /** Groups that have seen the line, and items that it once had. */
  groups: string[]
  goneIds: string[]
}

/** The changes of one view since a revision: whole items, changed fields, and removed items. */
export interface Delta {
  whole: string[]
  changes: string[]
  goneIds: string[]
}

/** How many changes are retained: a minimum, and a number per line. */
interface RetentionLimits {
  /** When every line has changed, sending the changes costs as much as sending the list. */
  changes: { min: number; perLine: number }
  /** Changed fields serve clients that are a few seconds behind; clients further behind get whole items. */
  fields: { min: number; perLine: number }
}

const RETENTION: RetentionLimits = { changes: { min: 20_000, perLine: 2 }, fields: { min: 1_000, perLine: 0.25 } }

interface Options {
  now?: (() => Date) | undefined
  retention?: RetentionLimits | undefined
}

/**
 * One tenant's fleet in memory: each item as fragments of JSON, rebuilt only when its line changes. Each group has its
 * own revision, which changes in other groups do not affect.
 */
export const createSnapshot = (
  database: Database,
  tenantId: string,
  { now = () => new Date(), retention = RETENTION }: Options = {},
) => {
  // Revisions of another process, or from before a restart, must never match.
  const epoch = randomBytes(6).toString('base64url')
  const lines = createLineStore()
  const heartbeats = createHeartbeats(tenantId, now)
  /** The last half hour of the lines' heartbeats. */
  let halfHour = -1
  const trails = new Map<number, LineTrail>()
  const changeNumbersByGroup = new Map<string, number>()
  /** The line id of each change; the first entry is change number `firstKnown + 1`. */
  let changedLines: number[] = []
  let count = 0
  let firstKnown = 0
  /** The changed fields are purged up to this change, and so is the trail if it holds nothing else. */
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
    const retained = getRetainedCount(retention.changes)
    if (changedLines.length <= retained * 1.5) return
    const last = count - retained
    for (let at = firstKnown + 1; at <= last; at++)
      if (trails.get(getLineId(at))?.count === at) trails.delete(getLineId(at))
    firstKnown = last
    changedLines = changedLines.slice(-retained)
  }

  /** Lists and changes contain the half hour, so the next one is a change in every view, but of no line. */
  const startHalfHour = (next: number) => {
    if (next === halfHour) return
    halfHour = next
    count++
    changedLines.push(NO_LINE)
    for (const group of changeNumbersByGroup.keys()) changeNumbersByGroup.set(group, count)
  }

  const read = (lineIds: readonly number[] | 'all') =>
    database.transaction({ tenantId }, async (db) => {
      const redrawn = await heartbeats.update(db)
      const wanted = lineIds === 'all' ? lineIds : [...new Set([...lineIds, ...redrawn])]
      const rows = wanted.length === 0 ? [] : await listFleetRows(db, tenantId, wanted)
      await heartbeats.follow(db, rows)
      return { wanted, rows }
    })

  const linesSince = (since: number) => new Set(changedLines.slice(since - firstKnown))

  return {
    /** Reloads the given lines, or all. Returns whether anything changed. */
    refresh: async (lineIds: readonly number[] | 'all'): Promise<boolean> => {
      const before = count
      const isFirst = count === 0
      const { wanted, rows } = await read(lineIds)
      const found = await groupByLine(rows, heartbeats.get)
      if (isFirst) {
        // No client has an older revision, so the first load leaves no trail.
        for await (const some of inTurns([...found])) lines.apply(new Map(some))
        for (const { group } of found.values()) changeNumbersByGroup.set(group, 1)
        count = firstKnown = lastPurgedFields = 1
        halfHour = heartbeats.last()
        return true
      }
      const removedIds = [...(wanted === 'all' ? lines.lineIds() : wanted)].filter((id) => !found.has(id))
      for await (const some of inTurns([...removedIds.map((id) => [id, undefined] as const), ...found])) {
        applyLines(some)
        purgeOldChanges()
      }
      startHalfHour(heartbeats.last())
      return count !== before
    },

    revision: ({ group }: Pick<View, 'group'>) => formatRevision(getChangeNumber(group)),

    halfHour: () => halfHour,

    lineCount: lines.count,

    /** The response body. `revision` is compared with the events of the stream. */
    body: (view: View): Buffer =>
      lines.format(
        view,
        '{"data":[',
        `],"revision":"${formatRevision(getChangeNumber(view.group))}","halfHour":${halfHour}}`,
      ),

    /** What a client at `revision` has missed; undefined if those changes are no longer retained. */
    deltaSince: (view: View, revision: string): Delta | undefined => {
      // A quiet group keeps its revision even if it is older than every retained change.
      if (revision === formatRevision(getChangeNumber(view.group))) return { whole: [], changes: [], goneIds: [] }
      const [itsEpoch, itsCount] = revision.split('.')
      const since = Number(itsCount)
      if (itsEpoch !== epoch || !Number.isSafeInteger(since) || since > count || since < firstKnown) return undefined
      const delta: Delta = { whole: [], changes: [], goneIds: [] }
      for (const lineId of linesSince(since)) {
        const line = lines.get(lineId)
        const trail = trails.get(lineId)
        const isHidden = line && !sees(view.group, line)
        if (trail ? view.group !== undefined && !trail.groups.includes(view.group) : isHidden) continue
        delta.goneIds.push(...(trail?.goneIds ?? NONE))
        if (!line) continue
        if (isHidden) for (const { id } of line.items) delta.goneIds.push(id)
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
const NO_LINE = -1

/**
 * Clients must receive the removal of an item even if the line has changed several times since they saw it. A purged
 * trail belongs to a change not after `lastWhole`.
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

/** Yields to the event loop between chunks: 100,000 lines take seconds. */
async function* inTurns<T>(all: readonly T[]) {
  for (let at = 0; at < all.length; at += AT_A_TIME) {
    if (at > 0) await setImmediate()
    yield all.slice(at, at + AT_A_TIME)
  }
}

const groupByLine = async (rows: readonly PresentRow[], getHeartbeat: (terminalId: number | null) => string | null) => {
  const found = new Map<number, Line>()
  for await (const some of inTurns(rows))
    for (const row of some) {
      const item = toItem(row, getHeartbeat(row.terminal_id))
      const line = found.get(row.line_id)
      if (line) line.items.push(item)
      else found.set(row.line_id, { group: row.group_name, items: [item] })
    }
  return found
}
