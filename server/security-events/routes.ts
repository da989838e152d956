import { sql } from 'kysely'
import { formatCsvRow } from '#contract/csv.ts'
import { formatIsoTime } from '#contract/format/times.ts'
import type { RouteInput } from '#contract/route.ts'
import { securityEventKinds } from '#contract/security-event-kinds.ts'
import type { securityEvents } from '#contract/security-events.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { getTimeZone } from '../platform/database/time-zone.ts'
import { csvResponse } from '../platform/http/csv-response.ts'
import type { Handlers } from '../platform/http/mount.ts'
import { recordExport } from './record.ts'

const PAGE = 100
const FILE_PAGE = 1_000
const OWN_EVENTS = 30

type Filter = RouteInput<typeof securityEvents.download>

const selectEvents = (db: Db, tenantId: string) =>
  db
    .selectFrom('security_events')
    .select(['id', 'kind', 'at', 'last_at', 'count', 'account', 'actor', 'address', 'device', 'details'])
    .where('tenant_id', '=', tenantId)
    .orderBy('last_at', 'desc')
    .orderBy('id', 'desc')

/** A sign-in on a new device is shown once, as that: its event follows directly. */
const isShown = sql<boolean>`not (kind = 'sign_in' and coalesce((
  select next.kind from security_events as next where next.tenant_id = security_events.tenant_id
    and next.user_id = security_events.user_id and next.id > security_events.id
  order by next.id limit 1), '') = 'new_device')`

interface Place {
  id: number
  /** By default, its current value. */
  lastAt?: Date | undefined
}

const isBefore = (tenantId: string, { id, lastAt }: Place) => {
  const now = sql`(select last_at from security_events where tenant_id = ${tenantId} and id = ${id})`
  return sql<boolean>`(last_at, id) < (${lastAt ? sql`${lastAt}::timestamptz` : now}, ${id})`
}

/** A page, newest first; `before` is the last event of the previous page. Anchors are shown only when selected. */
const listEvents = (db: Db, tenantId: string, { person, kind, from, until }: Filter, limit: number, before?: Place) =>
  selectEvents(db, tenantId)
    .where('kind', kind ? '=' : '<>', kind ?? 'log_anchored')
    .$if(kind === undefined, (query) => query.where(isShown))
    .$if(before !== undefined, (query) => query.where(isBefore(tenantId, before as Place)))
    .$if(Boolean(person), (query) =>
      query.where((eb) => {
        const email = (person as string).toLowerCase()
        return eb.or([eb(eb.fn('lower', ['account']), '=', email), eb(eb.fn('lower', ['actor']), '=', email)])
      }),
    )
    .$if(from !== undefined, (query) => query.where('last_at', '>=', from as Date))
    .$if(until !== undefined, (query) => query.where('at', '<', until as Date))
    .limit(limit)
    .execute()

type Row = Awaited<ReturnType<typeof listEvents>>[number]

const toEvent = ({ id, last_at, details, ...row }: Row) => ({
  ...row,
  id: String(id),
  lastAt: last_at,
  details: details as Record<string, unknown>,
})

/** Reads page by page, so that a file of any length takes little memory and no transaction stays open for long. */
async function* fileLines({ transaction, tenantId }: Context, filter: Filter) {
  const timeZone = await transaction((db) => getTimeZone(db, tenantId))
  const times = [`First (${timeZone})`, `Last (${timeZone})`]
  yield formatCsvRow([...times, 'Count', 'Event', 'Account', 'By', 'Address', 'Device', 'Details'])
  let before: Place | undefined
  for (;;) {
    const page = await transaction((db) => listEvents(db, tenantId, filter, FILE_PAGE, before))
    for (const row of page)
      yield formatCsvRow([
        formatIsoTime(row.at, timeZone),
        formatIsoTime(row.last_at, timeZone),
        row.count,
        securityEventKinds[row.kind as keyof typeof securityEventKinds] ?? row.kind,
        row.account,
        row.actor,
        row.address,
        row.device,
        JSON.stringify(row.details),
      ])
    const last = page.at(-1)
    before = last && { id: last.id, lastAt: last.last_at }
    if (page.length < FILE_PAGE) return
  }
}

export const securityEventHandlers: Handlers<typeof securityEvents> = {
  list: async ({ transaction, tenantId }, { before, beforeTime, limit, ...filter }) => {
    const place = before === undefined ? undefined : { id: Number(before), lastAt: beforeTime }
    const rows = await transaction((db) => listEvents(db, tenantId, filter, limit ?? PAGE, place))
    return rows.map(toEvent)
  },
  download: async (context, filter) => {
    await context.transaction((db) => recordExport(db, context, 'security events'))
    return csvResponse('security-events.csv', fileLines(context, filter))
  },
  mine: async ({ transaction, tenantId, user }) => {
    const rows = await transaction((db) =>
      selectEvents(db, tenantId).where('user_id', '=', user.userId).where(isShown).limit(OWN_EVENTS).execute(),
    )
    return { events: rows.map(toEvent) }
  },
}
