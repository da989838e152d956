import { type RawBuilder, sql } from 'kysely'
import { findAlertText } from '#contract/alerts.ts'
import type { CommandKind, CommandState } from '#contract/command-receipt.ts'
import { commandNames, type EventStatus, formatAlertEvent, outcomeWords, statusWords } from '#contract/event-words.ts'
import type { FleetEvent } from '#contract/events.ts'
import { formatPercent } from '#contract/format/numbers.ts'
import { formatGb } from '#contract/format/units.ts'
import { type IncidentCause, isWarning } from '#contract/incident-cause.ts'
import { causeWords, formatIncidentTitle } from '#contract/incident-words.ts'
import type { Incident } from '#contract/incidents.ts'
import { buildIncidentsQuery, toIncident } from '../incidents/read-incidents.ts'
import type { Read } from '../platform/database/database.ts'
import { toReadStatement } from '../platform/database/read-statement.ts'
import { formatCursor } from './event-cursor.ts'
import type { EventRow } from './select-events.ts'

interface LineRow {
  id: number
  nickname: string
  name: string
}

interface CommandRow {
  id: number
  kind: CommandKind
  state: CommandState
  requested_by: string
}

/** The subjects of a page of events, as visible to the reader. */
interface Subjects {
  lines: Map<number, LineRow>
  pools: Map<number, string>
  incidents: Map<string, Incident>
  commands: Map<number, CommandRow>
}

const unique = <T>(values: (T | null | undefined)[]) => [...new Set(values.filter((value) => value != null))] as T[]

const readSubjects = async (
  read: Read,
  tenantId: string,
  rows: readonly EventRow[],
  seesAll: boolean,
): Promise<Subjects> => {
  const lineIds = unique(rows.map((row) => row.service_line_id))
  const poolIds = unique(rows.map((row) => row.pool_id))
  const incidentIds = unique(rows.map((row) => row.incident_id))
  const commandIds = unique(rows.map(({ details }) => details.commandId as number | undefined))
  const readIfAny = async <Row extends object>(ids: readonly unknown[], query: RawBuilder<Row>) =>
    ids.length === 0 ? [] : read<Row>(toReadStatement(query))
  // On several connections at once, because sequential reads would add up.
  const [lines, pools, commands, incidents] = await Promise.all([
    readIfAny(
      lineIds,
      sql<LineRow>`
        select id, nickname, coalesce(custom_name, nickname) as name from service_lines
        where tenant_id = ${tenantId} and id = any(${lineIds}::bigint[])`,
    ),
    readIfAny(
      poolIds,
      sql<{ id: number; name: string }>`
        select id, name from pools where tenant_id = ${tenantId} and id = any(${poolIds}::bigint[])`,
    ),
    readIfAny(
      commandIds,
      sql<CommandRow>`
        select id, kind, state, requested_by from commands
        where tenant_id = ${tenantId} and id = any(${commandIds}::bigint[])`,
    ),
    readIfAny(incidentIds, buildIncidentsQuery(tenantId, sql`incident.id = any(${incidentIds}::uuid[])`)),
  ])
  return {
    lines: new Map(lines.map((line) => [line.id, line])),
    pools: new Map(pools.map(({ id, name }) => [id, name])),
    incidents: new Map(incidents.map((row) => [row.id, toIncident(row, { seesAll })])),
    commands: new Map(commands.map((command) => [command.id, command])),
  }
}

type Words = Pick<FleetEvent, 'text' | 'isTrouble'> & { status?: EventStatus }

const describeCommand = (type: string, command: CommandRow | undefined): Words | undefined => {
  if (!command) return undefined
  const { kind, state, requested_by } = command
  if (type === 'command.requested')
    return { text: `${commandNames[kind]} requested by ${requested_by}`, isTrouble: false }
  const isTrouble = state === 'refused' || state === 'not confirmed'
  return { text: `${commandNames[kind]} ${outcomeWords[state] ?? state}`, isTrouble }
}

const describeUsage = ({ percent, usedGb, limitGb }: Record<string, unknown>): Words => ({
  text: `has used ${formatPercent(percent as number)} of its data (${formatGb(usedGb as number)} of ${formatGb(limitGb as number)})`,
  isTrouble: (percent as number) >= 100,
})

const poolWords: Record<string, Words> = {
  'pool.created': { text: 'was created', isTrouble: false },
  'pool.changed': { text: 'was changed', isTrouble: false },
  'pool.limit_reached': { text: 'has used up its data', isTrouble: true },
}

const incidentWords: Record<string, string> = {
  'incident.resolved': 'is over',
  'incident.snoozed': 'was snoozed',
  'incident.unsnoozed': 'is no longer snoozed',
  'incident.merged': 'was merged with another incident',
  'incident.split': 'was split',
}

const describeIncident = ({ type, at, details }: EventRow, incident: Incident): Words | undefined => {
  const { cause, acknowledgedAt, acknowledgedBy } = incident
  switch (type) {
    case 'incident.opened':
      return { text: isWarning(cause) ? 'begins to show' : 'begins', isTrouble: true }
    case 'incident.reopened':
      return { text: 'was reopened', isTrouble: true }
    case 'incident.renamed':
      return {
        text: `was classified as “${causeWords[details.formerCause as IncidentCause]}” before`,
        isTrouble: false,
      }
    case 'incident.acknowledged': {
      const isLatest = acknowledgedAt?.getTime() === at.getTime()
      return { text: `was acknowledged${isLatest && acknowledgedBy ? ` by ${acknowledgedBy}` : ''}`, isTrouble: false }
    }
    default: {
      const text = incidentWords[type]
      return text === undefined ? undefined : { text, isTrouble: false }
    }
  }
}

const describe = (event: EventRow, subjects: Subjects, incident: Incident | undefined): Words | undefined => {
  const { type, details } = event
  switch (type) {
    case 'terminal.status_changed': {
      const status = details.status as EventStatus
      return { text: statusWords[status], status, isTrouble: status !== 'online' }
    }
    case 'terminal.alert_raised':
    case 'terminal.alert_cleared': {
      const [code, isOver] = [String(details.alert), type === 'terminal.alert_cleared']
      return {
        text: formatAlertEvent(code, isOver),
        isTrouble: !isOver && findAlertText(code)?.severity === 'critical',
      }
    }
    case 'command.requested':
    case 'command.finished':
      return describeCommand(type, subjects.commands.get(details.commandId as number))
    case 'usage.threshold_reached':
      return describeUsage(details)
    default:
      return incident ? describeIncident(event, incident) : poolWords[type]
  }
}

/** Names and texts of a page of events. Subjects that the reader may not see are left out. */
export const describeEvents = async (
  read: Read,
  tenantId: string,
  rows: readonly EventRow[],
  { seesAll }: { seesAll: boolean },
): Promise<FleetEvent[]> => {
  if (rows.length === 0) return []
  const subjects = await readSubjects(read, tenantId, rows, seesAll)
  return rows.flatMap((row) => {
    const line = subjects.lines.get(row.service_line_id ?? -1)
    const incident = subjects.incidents.get(row.incident_id ?? '')
    const pool = subjects.pools.get(row.pool_id ?? -1)
    const words = describe(row, subjects, incident)
    const name = line?.name ?? (incident && formatIncidentTitle(incident)) ?? (pool && `Pool ${pool}`)
    if (!words || name === undefined) return []
    const { text, isTrouble, status = null } = words
    return [
      {
        id: formatCursor({ notedAt: row.noted_at, id: row.id }),
        kind: row.kind,
        at: row.at,
        notedAt: row.noted_at,
        name,
        text,
        status,
        isTrouble,
        terminal: line?.nickname ?? null,
        incident: incident?.id ?? null,
      },
    ]
  })
}
