import { sql } from 'kysely'
import type { AuditAction } from '#contract/audit-sentences.ts'
import { notFound } from '#contract/errors.ts'
import { formatIncidentTitle } from '#contract/incident-words.ts'
import type { incidents } from '#contract/incidents.ts'
import type { RouteInput } from '#contract/route.ts'
import { recordAudit } from '../audit/record.ts'
import { listRunningWindows } from '../maintenance/list-windows.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import type { Handlers } from '../platform/http/mount.ts'
import { requirePast } from '../platform/past.ts'
import { publishEvents } from '../platform/publish-events.ts'
import { followMerges } from './follow-incidents.ts'
import { type ListedEvent, listIncidentEvents } from './listed-events.ts'
import { listIncidentLosses, rewindIncident, selectIncidents, toIncident } from './read-incidents.ts'
import { listIncidentDecisions, mergeIncidents, splitIncident, undoDecision } from './regroup.ts'

const PAGE = 50
const MAX_LOSSES = 1_000

const getViewer = ({ scope }: Context) => ({ seesAll: scope.group === undefined })

const isOpen = (at: Date | undefined) =>
  at === undefined ? sql<boolean>`ended_at is null` : sql<boolean>`(ended_at is null or ended_at > ${at})`

/** A terminal of the reader may have joined it later: by a merge, or as the last of an update night. */
const hadBegun = (at: Date, incident: string) => sql<boolean>`(
  ${sql.ref(`${incident}.terminal_id`)} is not null or ${sql.ref(`${incident}.cause`)} = 'not observed' or exists (
    select from terminal_losses as loss
    where loss.tenant_id = ${sql.ref(`${incident}.tenant_id`)} and loss.incident_id = ${sql.ref(`${incident}.id`)}
      and loss.lost_at <= ${at}))`

const isWidespread = sql`(incident.reach in ('area', 'fleet') or incident.cause = 'not observed')`

type Filter = RouteInput<typeof incidents.list>

const toConditions = (tenantId: string, { show = 'open', widespread, terminal, before, at }: Filter) => {
  const conditions = [sql`incident.merged_into is null`]
  if (at !== undefined) conditions.push(sql`incident.opened_at <= ${at}`, hadBegun(at, 'incident'))
  if (show === 'open') conditions.push(isOpen(at))
  if (widespread) conditions.push(isWidespread)
  if (terminal !== undefined)
    conditions.push(sql`(exists (
      select from terminal_losses as loss
      join terminals as terminal on terminal.tenant_id = loss.tenant_id and terminal.id = loss.terminal_id
      join service_lines as line on line.tenant_id = terminal.tenant_id and line.id = terminal.service_line_id
      where loss.tenant_id = incident.tenant_id and loss.incident_id = incident.id
        and ${terminal} in (line.nickname, line.service_line_number, terminal.kit_serial))
      or ${terminal} in (warned.nickname, warned.service_line_number, terminal.kit_serial))`)
  if (before !== undefined)
    conditions.push(sql`(incident.started_at, incident.id) < (
      select started_at, id from incidents where tenant_id = ${tenantId} and id = ${before})`)
  return sql.join(conditions, sql` and `)
}

const countOpen = (db: Db, tenantId: string, at: Date | undefined) =>
  db
    .selectFrom('incidents')
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere('terminal_id', 'is', null).as('openCount'),
      eb.fn.countAll<number>().filterWhere('terminal_id', 'is not', null).as('warningCount'),
    ])
    .where('tenant_id', '=', tenantId)
    .where(isOpen(at))
    .$if(at !== undefined, (query) =>
      query
        .where('opened_at', '<=', at as Date)
        .where('merged_into', 'is', null)
        .where(hadBegun(at as Date, 'incidents')),
    )
    .executeTakeFirstOrThrow()

/** Later losses are not part of it yet. */
const isSeenAt = (at: Date | undefined) => (at ? sql`loss.lost_at <= ${at}` : sql`true`)

const list = (ctx: Context, filter: Filter) => {
  const { at, terminal } = filter
  if (at) requirePast(at, ctx.services.now())
  return ctx.transaction(async (db) => {
    const order = sql`order by incident.started_at desc, incident.id desc limit ${filter.limit ?? PAGE}`
    const conditions = toConditions(ctx.tenantId, filter)
    const rows = await selectIncidents(db, ctx.tenantId, conditions, order, isSeenAt(at), at ?? null)
    const incidents = rows.map((row) => toIncident(row, getViewer(ctx)))
    return {
      ...(await countOpen(db, ctx.tenantId, at)),
      incidents: at ? incidents.map((incident) => rewindIncident(incident, at)) : incidents,
      maintenance: await listRunningWindows(db, ctx, terminal, at),
    }
  })
}

const readOne = async (db: Db, tenantId: string, id: string, at?: Date) => {
  const isWanted = at
    ? sql`incident.id = ${id} and (incident.opened_at > ${at} or ${hadBegun(at, 'incident')})`
    : sql`incident.id = ${id}`
  const [row] = await selectIncidents(db, tenantId, isWanted, sql``, isSeenAt(at), at ?? null)
  if (!row) throw notFound('There is no such incident.')
  return row
}

const get = (ctx: Context, { id, at }: RouteInput<typeof incidents.get>) => {
  if (at) requirePast(at, ctx.services.now())
  return ctx.transaction(async (db) => {
    const [merge] = await followMerges(db, ctx.tenantId, [id])
    const wholeId = merge?.id ?? id
    const row = await readOne(db, ctx.tenantId, wholeId, at)
    if (at && row.opened_at > at) throw notFound('This incident was not known at that time.')
    const incident = toIncident(row, getViewer(ctx))
    const losses = await listIncidentLosses(db, ctx.tenantId, wholeId, { limit: MAX_LOSSES + 1, at })
    // Row-level security shows them to administrators only.
    const decisions = await listIncidentDecisions(db, ctx.tenantId, wholeId)
    return {
      incident: at ? rewindIncident(incident, at) : incident,
      mergedInto: wholeId === id ? null : wholeId,
      terminal: row.nickname === null ? null : { nickname: row.nickname, name: incident.name },
      losses: losses.slice(0, MAX_LOSSES),
      isCut: losses.length > MAX_LOSSES,
      decisions: decisions.filter((decision) => !at || decision.at <= at),
    }
  })
}

interface Change {
  id: string
  action: AuditAction
  listedAs: ListedEvent['type']
  columns: { acknowledged_at?: Date; acknowledged_by?: number; note?: string; snoozed_until?: Date | null }
  details: Record<string, string | null>
}

const change = (ctx: Context, { id, action, listedAs, columns, details }: Change) =>
  ctx.transaction(async (db) => {
    const before = await readOne(db, ctx.tenantId, id)
    await db.updateTable('incidents').set(columns).where('tenant_id', '=', ctx.tenantId).where('id', '=', id).execute()
    const now = columns.acknowledged_at ?? ctx.services.now()
    await publishEvents(db, ctx.tenantId, [{ type: 'incident.changed', at: now, subject: { incidentId: id } }], now)
    await listIncidentEvents(db, ctx.tenantId, [{ type: listedAs, incidentId: id }], now)
    await recordAudit(db, ctx.tenantId, now, {
      performer: ctx.user.email,
      action,
      performee: formatIncidentTitle(toIncident(before, getViewer(ctx))),
      details: { incident: id, ...details },
    })
  })

export const incidentHandlers: Handlers<typeof incidents> = {
  list,
  get,
  acknowledge: async (ctx, { id, note }) => {
    const columns = { acknowledged_at: ctx.services.now(), acknowledged_by: ctx.user.userId, note }
    const kind = { action: 'incident.acknowledge', listedAs: 'incident.acknowledged' } as const
    await change(ctx, { id, ...kind, columns, details: { note } })
    return { message: 'The incident is acknowledged.' }
  },
  snooze: async (ctx, { id, until }) => {
    const details = { until: until?.toISOString() ?? null }
    const kind = { action: 'incident.snooze', listedAs: until ? 'incident.snoozed' : 'incident.unsnoozed' } as const
    await change(ctx, { id, ...kind, columns: { snoozed_until: until }, details })
    return { message: until ? 'The incident is snoozed.' : 'The incident is shown again.' }
  },
  merge: mergeIncidents,
  split: splitIncident,
  undo: undoDecision,
}
