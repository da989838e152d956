import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { Past } from '#contract/past.ts'
import type { FleetRow } from '../fleet/fleet-queries.ts'
import { formatItem, toItem, type View } from '../fleet/fragments.ts'
import type { PastLists } from '../fleet/routes.ts'
import { toListWire } from '../fleet/wire-item.ts'
import type { Database } from '../platform/database/database.ts'
import { requirePast } from '../platform/past.ts'
import { createTurns } from './build-turns.ts'
import { readPastState } from './past-fleet.ts'

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
const formatRows = async (rows: readonly FleetRow[], view: View) => {
  const items: string[] = []
  for (const [index, row] of rows.entries()) {
    if (index % AT_A_TIME === AT_A_TIME - 1) await setImmediate()
    if (view.group !== undefined && view.group !== row.group_name) continue
    items.push(view.details ? `{${formatItem(toItem(row, null), view)}}` : JSON.stringify(toListWire(row, null)))
  }
  return items
}

const buildList = async (
  database: Database,
  { tenantId, at, now }: { tenantId: string; at: Date; now: Date },
  view: View,
): Promise<BuiltList> => {
  const { rows, past } = await readPastState(database, { tenantId, at }, { now, withDetails: view.details })
  const items = await formatRows(rows, view)
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
      const isSettled = nowMs - at.getTime() > SETTLED_AFTER_MS
      const revised = isSettled ? Math.floor(nowMs / REVISED_EVERY_MS) : nowMs
      return [epoch, at.getTime(), revised, await hashGroups(unguarded, tenantId)].join('.')
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
