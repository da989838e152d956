import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { AuditAction } from '#contract/audit-sentences.ts'
import { conflict, invalid, notFound } from '#contract/errors.ts'
import { isWarning } from '#contract/incident-cause.ts'
import { formatIncidentTitle } from '#contract/incident-words.ts'
import { canRegroup, type IncidentDecision } from '#contract/incidents.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { advanceEventClock } from '../platform/database/event-clock.ts'
import { judgeLosses, lockIncidents } from './judge-losses.ts'
import { listIncidentEvents } from './listed-events.ts'
import { selectIncidents, toIncident } from './read-incidents.ts'
import { assignLosses, mergeLeftOver } from './store-incidents.ts'

interface Member {
  terminal_id: number
  lost_at: Date
  incident_id: string
  device_id: string
}

/** Reads incidents that can still be regrouped; waits for an evaluation in progress. */
const readRegroupable = async (db: Db, ctx: Context, ids: readonly string[]) => {
  await lockIncidents(db, ctx.tenantId)
  const rows = await selectIncidents(db, ctx.tenantId, sql`incident.id = any(${ids}::uuid[])`, sql``)
  if (rows.length < ids.length) throw notFound('There is no such incident.')
  const found = rows.map((row) => toIncident(row, { seesAll: true }))
  if (rows.some((row) => row.merged_into !== null))
    throw conflict('One of these incidents has become part of another. Please reload the page.')
  if (found.some(({ cause }) => isWarning(cause))) throw conflict('An early warning is about one terminal.')
  if (!found.every((incident) => canRegroup(incident, ctx.services.now().getTime())))
    throw conflict('An incident that ended more than three hours ago can no longer be changed.')
  return found
}

const listMembers = async (db: Db, tenantId: string, ids: readonly string[]) => {
  const { rows } = await sql<Member>`
    select loss.terminal_id, loss.lost_at, loss.incident_id, terminal.device_id
    from terminal_losses as loss
    join terminals as terminal on terminal.tenant_id = loss.tenant_id and terminal.id = loss.terminal_id
    where loss.tenant_id = ${tenantId} and loss.incident_id = any(${ids}::uuid[])`.execute(db)
  return rows
}

interface NewDecision {
  kind: IncidentDecision['kind']
  incidentId: string
  members: readonly Member[]
}

const insertDecision = async (db: Db, ctx: Context, { kind, incidentId, members }: NewDecision) => {
  const key = { tenant_id: ctx.tenantId, id: randomUUID() }
  const decided = { decided_at: ctx.services.now(), decided_by: ctx.user.userId }
  await db
    .insertInto('incident_decisions')
    .values({ ...key, kind, incident_id: incidentId, ...decided })
    .execute()
  await sql`
    insert into incident_decision_losses (tenant_id, decision_id, terminal_id, lost_at, former_id)
    select ${key.tenant_id}, ${key.id}, loss.*
    from unnest(
      ${members.map((member) => member.terminal_id)}::bigint[],
      ${members.map((member) => member.lost_at.toISOString())}::timestamptz[],
      ${members.map((member) => member.incident_id)}::uuid[]
    ) as loss (terminal_id, lost_at, former_id)`.execute(db)
}

const record = (db: Db, ctx: Context, action: AuditAction, title: string, details: Record<string, string | number>) =>
  recordAudit(db, ctx.tenantId, ctx.services.now(), { performer: ctx.user.email, action, performee: title, details })

export const mergeIncidents = (ctx: Context, { id, incidents }: { id: string; incidents: string[] }) =>
  ctx.transaction(async (db) => {
    const ids = [...new Set([id, ...incidents])]
    if (ids.length < 2) throw invalid('Please choose another incident.')
    const found = await readRegroupable(db, ctx, ids)
    const members = await listMembers(db, ctx.tenantId, ids)
    await insertDecision(db, ctx, { kind: 'merge', incidentId: id, members })
    await judgeLosses(db, ctx.tenantId, ctx.services.now())
    const titles = new Map(found.map((incident) => [incident.id, formatIncidentTitle(incident)]))
    const others = ids.slice(1).map((each) => titles.get(each))
    await record(db, ctx, 'incident.merge', titles.get(id) as string, { incident: id, merged: others.join('; ') })
    return { message: 'The incidents are one now.', incident: id }
  })

export const splitIncident = (ctx: Context, { id, terminals }: { id: string; terminals: string[] }) =>
  ctx.transaction(async (db) => {
    const [incident] = await readRegroupable(db, ctx, [id])
    const all = await listMembers(db, ctx.tenantId, [id])
    const members = all.filter(({ device_id }) => terminals.includes(device_id))
    if (members.length === 0) throw invalid('None of these terminals is part of the incident.')
    if (members.length === all.length) throw invalid('Please leave at least one terminal in the incident.')
    const apart = randomUUID()
    await insertDecision(db, ctx, { kind: 'split', incidentId: apart, members })
    await judgeLosses(db, ctx.tenantId, ctx.services.now())
    await listIncidentEvents(db, ctx.tenantId, [{ type: 'incident.split', incidentId: id }], ctx.services.now())
    const details = { incident: id, apart, terminals: new Set(members.map(({ device_id }) => device_id)).size }
    await record(db, ctx, 'incident.split', formatIncidentTitle(incident as NonNullable<typeof incident>), details)
    return { message: 'The terminals are an incident of their own now.', incident: apart }
  })

interface DecidedLoss {
  terminal_id: number
  lost_at: Date
  incident_id: string
  former_id: string
}

/** Returns the losses to their previous incidents, which keep their ids and notes. */
const restore = async (db: Db, tenantId: string, losses: readonly DecidedLoss[]) => {
  const moved = losses.filter((loss) => loss.incident_id !== loss.former_id)
  if (moved.length === 0) return
  const formerIds = [...new Set(moved.map((loss) => loss.former_id))]
  await sql`
    update incidents set merged_into = null, ended_at = null
    where tenant_id = ${tenantId} and id = any(${formerIds}::uuid[])`.execute(db)
  const toLoss = ({ terminal_id, lost_at, incident_id }: DecidedLoss) => ({
    terminalId: terminal_id,
    lostAtMs: lost_at.getTime(),
    incidentId: incident_id,
  })
  await assignLosses(
    db,
    tenantId,
    moved.map((loss) => ({ loss: toLoss(loss), id: loss.former_id })),
    await advanceEventClock(db, tenantId),
  )
  const left = new Map(moved.map((loss) => [loss.incident_id, loss.former_id]))
  const used = new Set((await listMembers(db, tenantId, [...left.keys()])).map((member) => member.incident_id))
  const emptied = new Map([...left].filter(([source]) => !used.has(source)))
  if (emptied.size > 0) await mergeLeftOver(db, tenantId, emptied)
}

export const undoDecision = (ctx: Context, { id, decision }: { id: string; decision: string }) =>
  ctx.transaction(async (db) => {
    const [incident] = await readRegroupable(db, ctx, [id])
    const key = { tenant_id: ctx.tenantId, id: decision }
    const withdrawn = await db
      .updateTable('incident_decisions')
      .set({ withdrawn_at: ctx.services.now() })
      .where((row) => row.and(key))
      .where('withdrawn_at', 'is', null)
      .returning(['kind', 'incident_id'])
      .executeTakeFirst()
    const { rows } = await sql<DecidedLoss>`
      select member.terminal_id, member.lost_at, loss.incident_id, member.former_id
      from incident_decision_losses as member
      join terminal_losses as loss on loss.tenant_id = member.tenant_id and loss.terminal_id = member.terminal_id
        and loss.lost_at = member.lost_at
      where member.tenant_id = ${ctx.tenantId} and member.decision_id = ${decision}`.execute(db)
    if (!withdrawn || ![withdrawn.incident_id, ...rows.map((row) => row.former_id)].includes(id))
      throw notFound('There is no such decision about this incident.')
    await readRegroupable(db, ctx, [...new Set(rows.map((row) => row.incident_id))])
    await restore(db, ctx.tenantId, rows)
    await judgeLosses(db, ctx.tenantId, ctx.services.now())
    const details = { incident: id, decision: withdrawn.kind }
    await record(db, ctx, 'incident.undo', formatIncidentTitle(incident as NonNullable<typeof incident>), details)
    const target = withdrawn.kind === 'merge' ? withdrawn.incident_id : (rows[0]?.former_id ?? id)
    if (withdrawn.kind === 'merge')
      await listIncidentEvents(db, ctx.tenantId, [{ type: 'incident.split', incidentId: target }], ctx.services.now())
    return { message: 'The incidents are as they were.', incident: target }
  })

/** The manual decisions about an incident, newest first. */
export const listIncidentDecisions = async (db: Db, tenantId: string, id: string): Promise<IncidentDecision[]> => {
  const { rows } = await sql<IncidentDecision>`
    select decision.id, decision.kind, decision.decided_at as at, person.email as by,
      count(distinct member.terminal_id)::integer as terminals
    from incident_decisions as decision
    left join users as person on person.tenant_id = decision.tenant_id and person.id = decision.decided_by
    join incident_decision_losses as member on member.tenant_id = decision.tenant_id and member.decision_id = decision.id
    where decision.tenant_id = ${tenantId} and decision.withdrawn_at is null and (
      decision.incident_id = ${id} or exists (
        select from incident_decision_losses as former
        where former.tenant_id = ${tenantId} and former.decision_id = decision.id and former.former_id = ${id}))
    group by decision.id, decision.kind, decision.decided_at, person.email
    order by decision.decided_at desc, decision.id
    limit 20`.execute(db)
  return rows
}
