import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { type WarningCause, warningCauses } from '#contract/incident-cause.ts'
import type { WarningFigures } from '#contract/warning-figures.ts'
import type { Evidence } from '../incidents/build-incident.ts'
import type { Db } from '../platform/database/database.ts'
import { publishEvents } from '../platform/publish-events.ts'
import { enqueue } from '../platform/worker/enqueue.ts'
import type { Warning } from './find-warnings.ts'

/** A warning that recurs this soon after its end is the same one: users have already looked at it. */
const QUIET_AFTER_END = '14 days'

interface StoredWarning {
  id: string
  terminal_id: number
  cause: WarningCause
  figures: WarningFigures
  is_open: boolean
}

/** Warnings about some terminals that are open or ended recently. */
export const listWarnings = async (db: Db, tenantId: string, terminalIds: readonly number[], now: Date) => {
  const { rows } = await sql<StoredWarning>`
    select id, terminal_id, cause, evidence -> 'warning' as figures, ended_at is null as is_open from incidents
    where tenant_id = ${tenantId} and terminal_id = any(${terminalIds}::bigint[])
      and cause = any(${warningCauses}::text[])
      and (ended_at is null or ended_at > ${now}::timestamptz - interval '${sql.raw(QUIET_AFTER_END)}')`.execute(db)
  return Map.groupBy(rows, (row) => row.terminal_id)
}

const toEvidence = (warning: WarningFigures): Evidence => ({
  observed: 1,
  back: 0,
  lostPower: 0,
  signalQuality: null,
  obstruction: null,
  alerts: [],
  warning,
})

const insertWarnings = async (
  db: Db,
  tenantId: string,
  opened: readonly (Warning & { id: string; terminalId: number })[],
  startedAt: Date,
  openedAt: Date,
) => {
  const rows = opened.map(({ id, terminalId, cause, confidence, figures }) => ({
    id,
    terminal_id: terminalId,
    cause,
    confidence,
    evidence: toEvidence(figures),
  }))
  await sql`
    insert into incidents (tenant_id, id, terminal_id, cause, reach, confidence, started_at, opened_at, terminal_count,
      place, latitude, longitude, evidence)
    select ${tenantId}, row.id, row.terminal_id, row.cause, 'terminal', row.confidence, ${startedAt}, ${openedAt}, 1,
      coalesce(line.city, line.state), line.latitude, line.longitude, row.evidence
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (id uuid, terminal_id bigint, cause text,
      confidence real, evidence jsonb)
    join terminals as terminal on terminal.tenant_id = ${tenantId} and terminal.id = row.terminal_id
    join service_lines as line on line.tenant_id = terminal.tenant_id and line.id = terminal.service_line_id`.execute(
    db,
  )
}

const updateWarnings = (db: Db, tenantId: string, known: readonly (Warning & { id: string })[]) =>
  sql`
    update incidents set confidence = row.confidence, evidence = row.evidence
    from jsonb_to_recordset(${JSON.stringify(
      known.map(({ id, confidence, figures }) => ({ id, confidence, evidence: toEvidence(figures) })),
    )}::jsonb) as row (id uuid, confidence real, evidence jsonb)
    where incidents.tenant_id = ${tenantId} and incidents.id = row.id`.execute(db)

const endWarnings = (db: Db, tenantId: string, ids: readonly string[], endedAt: Date) =>
  sql`
    update incidents set ended_at = ${endedAt}
    where tenant_id = ${tenantId} and id = any(${ids}::uuid[])`.execute(db)

const publishEnds = (db: Db, tenantId: string, ids: readonly string[], at: Date) =>
  publishEvents(
    db,
    tenantId,
    ids.map((incidentId) => ({ type: 'incident.resolved' as const, at, subject: { incidentId } })),
  )

/** Removed terminals are not evaluated, so their warnings would never end. */
export const endWarningsOfRemoved = async (db: Db, tenantId: string, now: Date): Promise<void> => {
  const { rows } = await sql<{ id: string }>`
    update incidents set ended_at = ${now}
    where tenant_id = ${tenantId} and terminal_id is not null and ended_at is null and not exists (
      select from terminals as terminal
      where terminal.tenant_id = ${tenantId} and terminal.id = incidents.terminal_id
        and terminal.removed_at is null and terminal.service_line_id is not null)
    returning id`.execute(db)
  await publishEnds(
    db,
    tenantId,
    rows.map(({ id }) => id),
    now,
  )
}

interface Found {
  terminalId: number
  warnings: readonly Warning[]
  known: readonly StoredWarning[]
}

/**
 * Updates the stored warnings to those found at the end of a day. `openedAt` is on the tenant's event clock, which schedules
 * notifications.
 */
export const storeWarnings = async (
  db: Db,
  tenantId: string,
  found: readonly Found[],
  endOfDay: Date,
  readClock: () => Promise<Date>,
): Promise<void> => {
  const opened: (Warning & { id: string; terminalId: number })[] = []
  const continued: (Warning & { id: string })[] = []
  const ended: string[] = []
  for (const { terminalId, warnings, known } of found) {
    for (const warning of warnings) {
      const same = known.filter(({ cause }) => cause === warning.cause)
      const open = same.find(({ is_open }) => is_open)
      if (open) continued.push({ ...warning, id: open.id })
      else if (same.length === 0) opened.push({ ...warning, id: randomUUID(), terminalId })
    }
    const isFound = (cause: WarningCause) => warnings.some((warning) => warning.cause === cause)
    ended.push(...known.filter(({ cause, is_open }) => is_open && !isFound(cause)).map(({ id }) => id))
  }
  if (continued.length > 0) await updateWarnings(db, tenantId, continued)
  if (opened.length + ended.length === 0) return
  const now = await readClock()
  if (ended.length > 0) await endWarnings(db, tenantId, ended, now)
  if (opened.length > 0) {
    await insertWarnings(db, tenantId, opened, endOfDay, now)
    await enqueue(db, 'notifications', tenantId)
  }
  await publishEvents(
    db,
    tenantId,
    opened.map(({ id }) => ({ type: 'incident.opened' as const, at: now, subject: { incidentId: id } })),
  )
  await publishEnds(db, tenantId, ended, now)
}
