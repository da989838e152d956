import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { Past } from '#contract/past.ts'
import { formatItem, toItem, type View } from '../fleet/fragments.ts'
import type { PastLists } from '../fleet/routes.ts'
import { type ListRow, toListWire } from '../fleet/wire-item.ts'
import type { Database } from '../platform/database/database.ts'
import { requirePast } from '../platform/past.ts'
import { createTurns } from './build-turns.ts'
import { readPastList, readPastState } from './past-fleet.ts'

/** Recent changes may still be on their way into the database. */
const SETTLED_AFTER_MS = 5 * 60_000
/** Late telemetry and imported history change the past a little. */
const REVISED_EVERY_MS = 3_600_000
const CACHE_MAX_BYTES = 32 * 1024 * 1024

interface BuiltList {
  lineCount: number
  body: Buffer
}

const AT_A_TIME = 2_000

/** Yields to the event loop between chunks. */
const formatRows = async <Row extends ListRow>(
  rows: readonly Row[],
  { group }: View,
  format: (row: Row) => string,
): Promise<string[]> => {
  const items: string[] = []
  for (const [index, row] of rows.entries()) {
    if (index % AT_A_TIME === AT_A_TIME - 1) await setImmediate()
    if (group === undefined || group === row.group_name) items.push(format(row))
  }
  return items
}

const readItems = async (
  database: Database,
  { tenantId, at, now }: { tenantId: string; at: Date; now: Date },
  view: View,
) => {
  if (!view.details) {
    const { rows, past } = await readPastList(database, { tenantId, at }, now)
    return { past, items: await formatRows(rows, view, (row) => JSON.stringify(toListWire(row, null))) }
  }
  const { rows, past } = await readPastState(database, { tenantId, at }, now)
  return { past, items: await formatRows(rows, view, (row) => `{${formatItem(toItem(row, null), view)}}`) }
}

const buildList = async (...wanted: Parameters<typeof readItems>): Promise<BuiltList> => {
  const { items, past } = await readItems(...wanted)
  const body = `{"data":[${items.join()}],"past":${JSON.stringify(z.encode(Past, past))}}`
  return { lineCount: items.length, body: Buffer.from(body) }
}

/** Changes when a line moves to another customer. */
const hashGroups = async (database: Database, tenantId: string) => {
  const { rows } = await database.transaction(
    { tenantId },
    (db) =>
      sql<{ hash: string }>`
        select coalesce(sum(hashtextextended(group_name, id)), 0)::text as hash
        from service_lines where tenant_id = ${tenantId}`.execute(db),
    { isReadOnly: true },
  )
  return rows[0]?.hash
}

/**
 * The lists of the past. Building one reads the whole fleet, so each tenant builds one at a time, and a list is cached
 * for identical requests.
 */
export const createPastLists = (): PastLists => {
  // Revisions of another process, or from before a restart, must never match.
  const epoch = randomBytes(4).toString('base64url')
  const turns = createTurns()
  const cached = new Map<string, BuiltList>()
  let unsettledReads = 0

  const cache = (key: string, list: BuiltList) => {
    cached.set(key, list)
    let bytes = 0
    for (const [each, { body }] of [...cached].reverse()) {
      bytes += body.length
      if (bytes > CACHE_MAX_BYTES) cached.delete(each)
    }
  }

  return {
    findRevision: async ({ tenantId, services, unguarded }, at) => {
      const nowMs = services.now().getTime()
      requirePast(at, services.now())
      const atMs = at.getTime()
      if (nowMs - atMs <= SETTLED_AFTER_MS) return [epoch, atMs, 'unsettled', ++unsettledReads].join('.')
      const revised = Math.floor(nowMs / REVISED_EVERY_MS)
      return [epoch, atMs, revised, await hashGroups(unguarded, tenantId)].join('.')
    },
    read: ({ tenantId, services, unguarded }, { at, revision, view }) =>
      turns(tenantId, async () => {
        const key = JSON.stringify([tenantId, view.group ?? null, view.details, view.metadata, revision])
        const list = cached.get(key) ?? (await buildList(unguarded, { tenantId, at, now: services.now() }, view))
        cached.delete(key)
        cache(key, list)
        return list
      }),
  }
}
