import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { type PublishedEvent, publishEvents } from '../platform/publish-events.ts'
import { enqueue } from '../platform/worker/enqueue.ts'
import type { Evidence, FoundIncident } from './build-incident.ts'
import type { StoredLoss } from './list-losses.ts'
import { findIncidentChanges, listForJoiningGroups, listIncidentEvents } from './listed-events.ts'
import { getLossKey, type Loss } from './loss.ts'
import { getNoticedAt, listImported } from './noticed-at.ts'

export type ReadClock = (db: Db, tenantId: string) => Promise<Date>

/**
 * Maps each found incident to its stored one: the one that it was manually assigned to, or else the one with most of its
 * losses; no two map to the same.
 */
export const matchIncidents = (
  found: readonly FoundIncident[],
  losses: readonly StoredLoss[],
): Map<FoundIncident, string> => {
  const known = new Map(losses.map((loss) => [getLossKey(loss), loss.incidentId]))
  const overlaps = found.flatMap((incident) => {
    const counts = new Map<string, number>()
    for (const loss of incident.losses) {
      const id = known.get(getLossKey(loss)) ?? null
      if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1)
    }
    return [...counts].map(([id, count]) => ({ incident, id, count }))
  })
  const ids = new Map(found.flatMap((incident) => (incident.id === null ? [] : [[incident, incident.id] as const])))
  const taken = new Set(ids.values())
  for (const { incident, id } of overlaps.sort((one, other) => other.count - one.count)) {
    if (taken.has(id) || ids.has(incident)) continue
    taken.add(id)
    ids.set(incident, id)
  }
  return ids
}

interface StoredVerdict {
  id: string
  cause: string
  reach: string
  confidence: number
  started_at: Date
  ended_at: Date | null
  evidence: Evidence
  terminal_count: number
}

const listStored = async (db: Db, tenantId: string, ids: readonly string[]) => {
  const { rows } = await sql<StoredVerdict>`
    select id, cause, reach, confidence, started_at, ended_at, evidence, terminal_count from incidents
    where tenant_id = ${tenantId} and id = any(${ids}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

const isAsStored = (incident: FoundIncident, stored: StoredVerdict | undefined) =>
  stored !== undefined &&
  stored.cause === incident.cause &&
  stored.reach === incident.reach &&
  Math.abs(stored.confidence - incident.confidence) < 0.005 &&
  stored.started_at.getTime() === incident.startedAtMs &&
  (stored.ended_at?.getTime() ?? null) === incident.endedAtMs &&
  isDeepStrictEqual(stored.evidence, incident.evidence)

const countTerminals = ({ losses }: FoundIncident) => new Set(losses.map(({ terminalId }) => terminalId)).size

/**
 * Webhook events for the differences between an incident and its stored state. Changed figures alone are not reported.
 */
const listEvents = (id: string, incident: FoundIncident, stored: StoredVerdict | undefined): PublishedEvent[] => {
  const subject = { incidentId: id }
  const endedAt = incident.endedAtMs === null ? undefined : new Date(incident.endedAtMs)
  const resolved: PublishedEvent[] = endedAt ? [{ type: 'incident.resolved', at: endedAt, subject }] : []
  if (!stored) return [{ type: 'incident.opened', at: new Date(incident.startedAtMs), subject }, ...resolved]
  if (stored.ended_at === null && endedAt) return resolved
  const isChanged =
    stored.cause !== incident.cause ||
    stored.reach !== incident.reach ||
    stored.terminal_count !== countTerminals(incident) ||
    (stored.ended_at !== null && !endedAt)
  return isChanged ? [{ type: 'incident.changed', at: new Date(), subject }] : []
}

export const listPlaces = async (db: Db, tenantId: string, terminalIds: readonly number[]) => {
  const { rows } = await sql<{ id: number; place: string | null }>`
    select terminal.id, coalesce(line.city, line.state) as place
    from terminals as terminal
    join service_lines as line on line.tenant_id = terminal.tenant_id and line.id = terminal.service_line_id
    where terminal.tenant_id = ${tenantId} and terminal.id = any(${terminalIds}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row.place]))
}

export const findCommonest = (values: readonly (string | null | undefined)[]): string | null => {
  const counts = [...Map.groupBy(values, (value) => value ?? null)].filter(([value]) => value !== null)
  return counts.sort(([, one], [, other]) => other.length - one.length)[0]?.[0] ?? null
}

interface Named {
  id: string
  incident: FoundIncident
}

const writeIncidents = async (
  db: Db,
  tenantId: string,
  named: readonly Named[],
  openedAt: Date,
  imported: ReadonlySet<string>,
) => {
  const terminalIds = named.map(({ incident }) => [...new Set(incident.losses.map(({ terminalId }) => terminalId))])
  const places = await listPlaces(db, tenantId, terminalIds.flat())
  const rows = named.map(({ id, incident }, index) => ({
    id,
    cause: incident.cause,
    reach: incident.reach,
    confidence: incident.confidence,
    started_at: new Date(incident.startedAtMs),
    ended_at: incident.endedAtMs === null ? null : new Date(incident.endedAtMs),
    terminal_count: terminalIds[index]?.length,
    place: findCommonest(terminalIds[index]?.map((terminalId) => places.get(terminalId)) ?? []),
    latitude: incident.center?.[0] ?? null,
    longitude: incident.center?.[1] ?? null,
    radius_km: incident.radiusKm,
    evidence: incident.evidence,
    opened_at: getNoticedAt(incident.losses[0] as Loss, openedAt, imported),
  }))
  await sql`
    insert into incidents (tenant_id, id, cause, reach, confidence, started_at, ended_at, terminal_count,
      place, latitude, longitude, radius_km, evidence, opened_at)
    select ${tenantId}, row.*
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (id uuid, cause text, reach text, confidence real,
      started_at timestamptz, ended_at timestamptz, terminal_count integer, place text, latitude float8, longitude float8,
      radius_km integer, evidence jsonb, opened_at timestamptz)
    on conflict (tenant_id, id) do update set cause = excluded.cause, reach = excluded.reach,
      confidence = excluded.confidence, started_at = excluded.started_at, ended_at = excluded.ended_at,
      terminal_count = excluded.terminal_count, place = excluded.place, latitude = excluded.latitude,
      longitude = excluded.longitude, radius_km = excluded.radius_km, evidence = excluded.evidence`.execute(db)
}

interface Moved {
  loss: Pick<StoredLoss, 'terminalId' | 'lostAtMs' | 'incidentId'>
  id: string
}

/** Moves losses to other incidents as of `now`, and triggers the resulting notifications. */
export const assignLosses = async (
  db: Db,
  tenantId: string,
  moved: readonly Moved[],
  now: Date,
  imported: ReadonlySet<string> = new Set(),
) => {
  const getKnownAt = (loss: Moved['loss']) => (loss.incidentId === null ? getNoticedAt(loss, now, imported) : now)
  await sql`
    with member as (
      select * from unnest(
        ${moved.map(({ loss }) => loss.terminalId)}::bigint[],
        ${moved.map(({ loss }) => new Date(loss.lostAtMs).toISOString())}::timestamptz[],
        ${moved.map(({ loss }) => getKnownAt(loss).toISOString())}::timestamptz[],
        ${moved.map(({ id }) => id)}::uuid[]
      ) as member (terminal_id, lost_at, known_at, id)),
    assigned as (
      insert into incident_assignments (tenant_id, terminal_id, lost_at, known_at, incident_id)
      select ${tenantId}, terminal_id, lost_at, known_at, id from member
      on conflict (tenant_id, terminal_id, lost_at, known_at) do update set incident_id = excluded.incident_id)
    update terminal_losses as loss set incident_id = member.id
    from member
    where loss.tenant_id = ${tenantId} and loss.terminal_id = member.terminal_id
      and loss.lost_at = member.lost_at`.execute(db)
  await listForJoiningGroups(
    db,
    tenantId,
    moved.map(({ loss: { terminalId }, id }) => ({ terminalId, incidentId: id })),
  )
  await enqueue(db, 'notifications', tenantId)
}

/** Merges incidents without a successor into the one that has their losses. */
export const mergeLeftOver = async (db: Db, tenantId: string, targets: ReadonlyMap<string, string>) => {
  const changes = [...targets.keys()].map((incidentId) => ({
    type: 'incident.changed' as const,
    at: new Date(),
    subject: { incidentId },
  }))
  await publishEvents(db, tenantId, changes)
  const merged = [...new Set(targets.values())].map((incidentId) => ({ type: 'incident.merged' as const, incidentId }))
  await listIncidentEvents(db, tenantId, merged, new Date())
  await sql`
    update incidents set merged_into = move.target, ended_at = coalesce(ended_at, started_at), terminal_count = 0
    from unnest(${[...targets.keys()]}::uuid[], ${[...targets.values()]}::uuid[]) as move (source, target)
    where incidents.tenant_id = ${tenantId} and incidents.id = move.source`.execute(db)
}

/**
 * Updates the stored incidents to the found ones. Moves are dated by `readClock`, the tenant's event clock, which is
 * read last because it is locked until the transaction ends.
 */
export const storeIncidents = async (
  db: Db,
  tenantId: string,
  found: readonly FoundIncident[],
  losses: readonly StoredLoss[],
  openedAt: Date,
  readClock: ReadClock,
): Promise<void> => {
  const knownIds = matchIncidents(found, losses)
  const stored = await listStored(db, tenantId, [...knownIds.values()])
  const named = found.map((incident) => ({ incident, id: knownIds.get(incident) ?? randomUUID() }))
  const changed = named.filter(({ incident, id }) => !isAsStored(incident, stored.get(id)))
  const imported = await listImported(db, tenantId, losses)
  if (changed.length > 0) {
    await writeIncidents(db, tenantId, changed, openedAt, imported)
    const events = changed.flatMap(({ incident, id }) => listEvents(id, incident, stored.get(id)))
    await publishEvents(db, tenantId, events)
    const changes = changed.flatMap(({ incident, id }) => findIncidentChanges(id, incident, stored.get(id)))
    await listIncidentEvents(db, tenantId, changes, new Date())
  }

  const idNow = new Map(named.flatMap(({ incident, id }) => incident.losses.map((loss) => [getLossKey(loss), id])))
  const continued = new Set(named.map(({ id }) => id))
  const moved = losses.flatMap((loss) => {
    const id = idNow.get(getLossKey(loss))
    return id === undefined || id === loss.incidentId ? [] : [{ loss, id }]
  })
  const targets = new Map(
    moved.flatMap(({ loss: { incidentId }, id }) =>
      incidentId === null || continued.has(incidentId) ? [] : [[incidentId, id] as const],
    ),
  )
  if (targets.size > 0) await mergeLeftOver(db, tenantId, targets)
  if (moved.length > 0) await assignLosses(db, tenantId, moved, await readClock(db, tenantId), imported)
}
