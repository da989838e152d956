import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { TerminalListItem } from '#contract/terminals.ts'
import type { Database } from '../db.ts'
import { listItemOf } from './list-item.ts'
import { type ListRow, listFleetRows } from './list-queries.ts'

interface Item {
  id: string
  json: string
}

interface Line {
  group: string
  items: Item[]
}

/** A line changed: who could see it before or can now, and the items that are gone from it. */
interface Change {
  count: number
  lineId: number
  groups: string[]
  goneIds: string[]
}

/** What happened to one view since a revision. */
export interface Delta {
  changed: string[]
  goneIds: string[]
}

// Enough for a reader that was away for some minutes; one that was away longer fetches the list anew.
const CHANGES_KEPT = 20_000

/**
 * One tenant's fleet in memory: the JSON text of each item, made anew only when its line changed. A view is all lines
 * (`group` undefined) or those of one group, and has its own revision: changes in other groups do not touch it.
 */
export const createSnapshot = (database: Database, tenantId: string) => {
  // Revisions of another process, or of this one before a restart, must never look known.
  const epoch = randomBytes(6).toString('base64url')
  const lines = new Map<number, Line>()
  const countOfGroup = new Map<string, number>()
  let changes: Change[] = []
  let count = 0
  let firstKnown = 0

  const revisionOf = (at: number) => `${epoch}.${at}`
  const countOf = (group: string | undefined) => (group === undefined ? count : (countOfGroup.get(group) ?? 0))
  const sees = (group: string | undefined, line: Line | undefined): line is Line =>
    line !== undefined && (group === undefined || line.group === group)

  const put = (lineId: number, next: Line | undefined) => {
    const before = lines.get(lineId)
    if (isSame(before, next)) return
    count++
    const groups = [...new Set([before, next].flatMap((line) => (line ? [line.group] : [])))]
    for (const group of groups) countOfGroup.set(group, count)
    const stays = new Set(next?.items.map(({ id }) => id))
    const goneIds = before?.items.flatMap(({ id }) => (stays.has(id) ? [] : [id])) ?? []
    changes.push({ count, lineId, groups, goneIds })
    if (next) lines.set(lineId, next)
    else lines.delete(lineId)
  }

  const forgetOldChanges = () => {
    if (changes.length <= CHANGES_KEPT * 2) return
    changes = changes.slice(-CHANGES_KEPT)
    firstKnown = (changes[0] as Change).count - 1
  }

  return {
    /** Reads the named lines anew, or all; tells whether anything is different now. */
    refresh: async (lineIds: readonly number[] | 'all'): Promise<boolean> => {
      const before = count
      const rows = await database.transaction({ tenantId }, (db) => listFleetRows(db, tenantId, lineIds))
      const found = groupByLine(rows)
      for (const id of lineIds === 'all' ? [...lines.keys()] : lineIds) if (!found.has(id)) put(id, undefined)
      for (const [id, line] of found) put(id, line)
      forgetOldChanges()
      return count !== before
    },

    revision: (group: string | undefined) => revisionOf(countOf(group)),

    /** The answer's body; `revision` is what the stream's events are compared with. */
    body: (group: string | undefined): string => {
      const texts: string[] = []
      for (const line of lines.values()) if (sees(group, line)) for (const { json } of line.items) texts.push(json)
      return `{"data":[${texts.join(',')}],"revision":"${revisionOf(countOf(group))}"}`
    },

    /** What a view's reader at `revision` has missed; undefined when that is not known any more. */
    deltaSince: (group: string | undefined, revision: string): Delta | undefined => {
      const [itsEpoch, itsCount] = revision.split('.')
      const since = Number(itsCount)
      if (itsEpoch !== epoch || !Number.isSafeInteger(since) || since > count || since < firstKnown) return undefined
      const touched = new Set<number>()
      const gone = new Set<string>()
      for (let index = changes.length - 1; index >= 0; index--) {
        const change = changes[index] as Change
        if (change.count <= since) break
        if (group !== undefined && !change.groups.includes(group)) continue
        touched.add(change.lineId)
        for (const id of change.goneIds) gone.add(id)
      }
      const changed: string[] = []
      for (const lineId of touched) {
        const line = lines.get(lineId)
        for (const { id, json } of line?.items ?? []) {
          if (sees(group, line)) {
            changed.push(json)
            gone.delete(id)
          } else gone.add(id)
        }
      }
      return { changed, goneIds: [...gone] }
    },
  }
}

export type Snapshot = ReturnType<typeof createSnapshot>

const isSame = (one: Line | undefined, other: Line | undefined) =>
  one?.group === other?.group &&
  one?.items.length === other?.items.length &&
  (one?.items ?? []).every(({ id, json }, index) => other?.items[index]?.id === id && other.items[index].json === json)

const groupByLine = (rows: readonly ListRow[]) => {
  const found = new Map<number, Line>()
  for (const row of rows) {
    const item = listItemOf(row)
    const text = { id: item.id, json: JSON.stringify(z.encode(TerminalListItem, item)) }
    const line = found.get(row.line_id)
    if (line) line.items.push(text)
    else found.set(row.line_id, { group: row.group_name, items: [text] })
  }
  return found
}
