import { sql } from 'kysely'
import { type DaySpan, shiftPeriod } from '#contract/calendar-period.ts'
import { explainIncident, formatIncidentTitle } from '#contract/incident-words.ts'
import type { Report, ReportIncident, ReportPeriod } from '#contract/reports.ts'
import { addMeasured, getPercent, toFigures } from '../availability/measure.ts'
import { findHeldSince, type TerminalRow } from '../availability/read-histories.ts'
import { compareMeasured, measureTerminals, toGroup } from '../availability/summarize.ts'
import { selectIncidents, toIncident } from '../incidents/read-incidents.ts'
import type { Db } from '../platform/database/database.ts'
import { getUnits } from '../platform/database/units.ts'
import { findBounds } from './period.ts'
import { readPools, readUsage } from './read-usage.ts'

const MAX_TERMINALS = 1_000
const MAX_GROUPS = 100
const MAX_INCIDENTS = 20

interface Span {
  fromMs: number
  toMs: number
}

const readIncidents = async (db: Db, tenantId: string, { fromMs, toMs }: Span, seesAll: boolean) => {
  // Without early warnings: their terminals were still working.
  const within = sql`incident.merged_into is null and incident.terminal_id is null and incident.started_at < ${new Date(toMs)}
    and (incident.ended_at is null or incident.ended_at > ${new Date(fromMs)})`
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from incidents as incident
    where incident.tenant_id = ${tenantId} and ${within}`.execute(db)
  // Its terminals times its duration within the period. By time, a series of restarts would hide the outage of a region.
  const weight = sql`case when incident.cause = 'not observed' then incident.terminal_count else visible.terminals end
    * extract(epoch from least(incident.ended_at, ${new Date(toMs)}) - greatest(incident.started_at, ${new Date(fromMs)}))`
  const largest = sql`order by ${weight} desc, incident.started_at desc, incident.id limit ${MAX_INCIDENTS}`
  const found = await selectIncidents(db, tenantId, within, largest)
  const units = await getUnits(db, tenantId)
  const newestFirst = found.toSorted((one, other) => other.started_at.getTime() - one.started_at.getTime())
  const incidents = newestFirst.map((row): ReportIncident => {
    const incident = toIncident(row, { seesAll })
    return {
      title: formatIncidentTitle(incident),
      explanation: explainIncident(incident, units).join(' '),
      startedAt: incident.startedAt,
      endedAt: incident.endedAt,
      terminals: incident.terminals,
    }
  })
  const progress = await db
    .selectFrom('incident_progress')
    .select('collected_since')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  const since = progress?.collected_since ?? null
  const incidentsSince = since !== null && since.getTime() > fromMs ? since : null
  return { incidents, incidentCount: rows[0]?.count ?? 0, incidentsSince }
}

const getEndMs = ({ removed_at }: TerminalRow) => removed_at?.getTime() ?? Number.POSITIVE_INFINITY

/** By line, the terminal that its usage is listed with: the first that is still there, else the last that was removed. */
const findPrimaries = (terminals: readonly TerminalRow[]) => {
  const primaries = new Map<number, TerminalRow>()
  for (const terminal of terminals) {
    const other = primaries.get(terminal.line_id)
    if (other === undefined || getEndMs(terminal) > getEndMs(other)) primaries.set(terminal.line_id, terminal)
  }
  return primaries
}

interface Wanted extends DaySpan {
  /** Null for all terminals. The transaction has the same scope. */
  group: string | null
  period: ReportPeriod
  timeZone: string
}

/** The figures of a period, for the terminals visible to the transaction. */
export const buildReport = async (db: Db, tenantId: string, wanted: Wanted, now: Date): Promise<Report> => {
  const { group, period, firstDay, lastDay, timeZone } = wanted
  const within = findBounds(wanted, timeZone)
  const previous = shiftPeriod(period, wanted, -1)
  const before = findBounds(previous, timeZone)
  const { terminals, targets, toRow } = await measureTerminals(db, tenantId, within)
  const measuredBefore = await measureTerminals(db, tenantId, before)
  const heldSince = await findHeldSince(db, tenantId)
  const total = addMeasured(terminals.map(({ measured }) => measured))
  const target = group === null ? undefined : targets.get(group)
  const percent = getPercent(total)
  const isComparable = heldSince !== null && heldSince.getTime() <= before.fromMs
  const groups = group === null ? [...Map.groupBy(terminals, ({ terminal }) => terminal.group_name)] : []
  const { usage, byLine } = await readUsage(db, tenantId, wanted, previous)
  const primaries = findPrimaries(terminals.map(({ terminal }) => terminal))
  // A line whose dish was replaced has two terminals in the period. The vendor counts usage by line.
  const getUsedGb = (terminal: TerminalRow) =>
    primaries.get(terminal.line_id) === terminal ? (byLine.get(terminal.line_id) ?? null) : null
  return {
    group,
    period,
    firstDay,
    lastDay,
    timeZone,
    heldSince,
    madeAt: now,
    from: new Date(within.fromMs),
    until: new Date(within.toMs),
    availability: {
      ...toFigures(total),
      target: target ?? null,
      isBreached: target !== undefined && percent !== null && percent < target,
      previousPercent: isComparable
        ? getPercent(addMeasured(measuredBefore.terminals.map(({ measured }) => measured)))
        : null,
    },
    groups: groups
      .map(([name, own]) => toGroup(name, own, targets.get(name)))
      .sort((one, other) => (one.percent ?? 101) - (other.percent ?? 101))
      .slice(0, MAX_GROUPS),
    groupCount: groups.length,
    terminals: terminals
      .toSorted(compareMeasured)
      .slice(0, MAX_TERMINALS)
      .map((each) => ({ ...toRow(each), usedGb: getUsedGb(each.terminal) })),
    terminalCount: terminals.length,
    ...(await readIncidents(db, tenantId, within, group === null)),
    usage,
    pools: await readPools(db, tenantId),
  }
}
