import { sql } from 'kysely'
import { findAlertText } from '#contract/alerts.ts'
import type { CommandKind, CommandState } from '#contract/command-receipt.ts'
import { commandNames, outcomeWords, statusWords } from '#contract/event-words.ts'
import { formatCount, formatCounted, formatPercent } from '#contract/format/numbers.ts'
import { formatMoment } from '#contract/format/times.ts'
import { formatGb } from '#contract/format/units.ts'
import type { Role } from '#contract/identity.ts'
import { isWarning } from '#contract/incident-cause.ts'
import { explainIncident, formatIncidentTitle } from '#contract/incident-words.ts'
import type { SentEventType, WebhookData } from '#contract/webhook-events.ts'
import { followIncidents } from '../incidents/follow-incidents.ts'
import type { Db } from '../platform/database/database.ts'
import type { EventSubjects } from '../platform/publish-events.ts'
import { findLine, findPool, findTerminal, type Reader, seesAll } from './read-subjects.ts'

/** The same for humans. */
interface Words {
  title: string
  text: string
  link: string | null
}

export interface Rendered<Data = WebhookData[SentEventType]> {
  data: Data
  words: Words
}

type RenderSubject<Subject, Data> = (
  db: Db,
  reader: Reader,
  subject: Subject,
  at: Date,
) => Promise<Rendered<Data> | undefined>
type Render<Type extends SentEventType> = RenderSubject<EventSubjects[Type], WebhookData[Type]>

const renderStatus: Render<'terminal.status_changed'> = async (db, reader, subject, at) => {
  const { terminalId, status, previousStatus } = subject
  const terminal = await findTerminal(db, reader, terminalId)
  if (!terminal) return undefined
  const title = `${terminal.name} ${statusWords[status]}`
  return {
    data: { terminal, status, previousStatus, since: at.toISOString() },
    words: { title, text: `Since ${formatMoment(at, reader.timeZone)}.`, link: terminal.link },
  }
}

const renderAlert =
  (isOver: boolean): Render<'terminal.alert_raised'> =>
  async (db, reader, { terminalId, alert: code }) => {
    const terminal = await findTerminal(db, reader, terminalId)
    if (!terminal) return undefined
    const known = findAlertText(code) ?? { title: code, severity: 'info' as const, meaning: '', action: '' }
    const { title, severity, meaning, action } = known
    const text = isOver ? 'This alert is over.' : `${meaning} ${action}`.trim()
    return {
      data: { terminal, alert: { code, title, severity, meaning, action } },
      words: { title: `${terminal.name}: ${title}`, text, link: terminal.link },
    }
  }

/** The terminals of an incident that the endpoint may see. */
const listTerminalIds = async (db: Db, { tenantId, lineIds }: Reader, incidentId: string) => {
  const { rows } = await sql<{ id: number }>`
    with recursive step as (
      select id, merged_into, terminal_id from incidents where tenant_id = ${tenantId} and id = ${incidentId}
      union
      select incident.id, incident.merged_into, incident.terminal_id from step
      join incidents as incident on incident.tenant_id = ${tenantId} and incident.id = step.merged_into)
    select distinct terminal.id from step
    left join terminal_losses as loss on loss.tenant_id = ${tenantId} and loss.incident_id = step.id
    join terminals as terminal on terminal.tenant_id = ${tenantId}
      and terminal.id = coalesce(step.terminal_id, loss.terminal_id)
    where ${lineIds.length === 0} or terminal.service_line_id = any(${lineIds}::bigint[])`.execute(db)
  return rows.map(({ id }) => id)
}

const renderIncident =
  (prefix: string): Render<'incident.opened'> =>
  async (db, reader, { incidentId }) => {
    const { tenantId, pages, timeZone, units } = reader
    const isWhole = seesAll(reader)
    const terminalIds = isWhole ? [] : await listTerminalIds(db, reader, incidentId)
    if (!isWhole && terminalIds.length === 0) return undefined
    const incident = (await followIncidents(db, tenantId, [incidentId], { seesAll: isWhole, terminalIds })).get(
      incidentId,
    )
    if (!incident) return undefined
    const { id, cause, reach, confidence, startedAt, endedAt, terminals, back, place, warning } = incident
    const title = formatIncidentTitle(incident)
    const link = pages ? `${pages}/incidents/${id}` : null
    const text = isWarning(cause)
      ? explainIncident(incident, units).join(' ')
      : `Since ${formatMoment(startedAt, timeZone)}: ${formatCounted(terminals, 'terminal')}, ${formatCount(back)} back.`
    return {
      data: {
        incident: {
          id: incidentId,
          title,
          cause,
          reach,
          confidence,
          terminals,
          back,
          place,
          warning,
          link,
          startedAt: startedAt.toISOString(),
          endedAt: endedAt?.toISOString() ?? null,
          acknowledgedAt: incident.acknowledgedAt?.toISOString() ?? null,
          snoozedUntil: incident.snoozedUntil?.toISOString() ?? null,
          mergedInto: id === incidentId ? null : id,
        },
      },
      words: { title: `${prefix}${title}`, text, link },
    }
  }

const renderPool =
  (verb: string): Render<'pool.created'> =>
  async (db, reader, { poolId }) => {
    const pool = await findPool(db, reader, poolId)
    if (!pool) return undefined
    const text = `${formatGb(pool.usedGb)} of ${formatGb(pool.limitGb)} used. At its limit: ${pool.behavior}.`
    return { data: { pool }, words: { title: `The pool ${pool.name} ${verb}`, text, link: pool.link } }
  }

const renderThreshold: Render<'usage.threshold_reached'> = async (db, reader, subject) => {
  const { lineId, poolId, percent, usedGb, limitGb } = subject
  const terminal = lineId === null ? undefined : await findLine(db, reader, lineId)
  const pool = poolId === null ? undefined : await findPool(db, reader, poolId)
  const name = terminal?.name ?? (pool && `The pool ${pool.name}`)
  if (name === undefined) return undefined
  return {
    data: { percent, usedGb, limitGb, terminal: terminal ?? null, pool: pool ?? null },
    words: {
      title: `${name} has used ${formatPercent(percent)} of its data`,
      text: `${formatGb(usedGb)} of ${formatGb(limitGb)}.`,
      link: terminal?.link ?? pool?.link ?? null,
    },
  }
}

const renderCommand: Render<'command.finished'> = async (db, reader, { lineId, commandId }) => {
  const terminal = await findLine(db, reader, lineId)
  const row = await db
    .selectFrom('commands')
    .select(['id', 'kind', 'desired', 'state', 'problem', 'requested_at'])
    .where('tenant_id', '=', reader.tenantId)
    .where('id', '=', commandId)
    .executeTakeFirst()
  if (!terminal || !row) return undefined
  const [kind, state] = [row.kind as CommandKind, row.state as CommandState]
  const { desired, problem } = row
  return {
    data: {
      terminal,
      command: { id: String(row.id), kind, desired, state, problem, requestedAt: row.requested_at.toISOString() },
    },
    words: {
      title: `${commandNames[kind]} of ${terminal.name} ${outcomeWords[state] ?? state}`,
      text: problem ?? `Requested ${formatMoment(row.requested_at, reader.timeZone)}.`,
      link: terminal.link,
    },
  }
}

const renderUser =
  (verb: string): Render<'user.created'> =>
  async (_, reader, { userId, email, name, role, group }) => {
    if (!seesAll(reader)) return undefined
    return {
      data: { user: { id: String(userId), email, name, role: role as Role | null, group } },
      words: {
        title: `The user ${email ?? userId} was ${verb}`,
        text: [name, role, group].filter((word) => word !== null).join(', '),
        link: reader.pages ? `${reader.pages}/admin-page` : null,
      },
    }
  }

const renderPing: Render<'ping'> = async (_, { pages }) => ({
  data: { message: 'This is a test.' },
  words: { title: 'This is a test.', text: 'Events will be sent here.', link: pages ? `${pages}/webhooks` : null },
})

const renderers: { [Type in SentEventType]: RenderSubject<EventSubjects[Type], WebhookData[Type]> } = {
  'terminal.status_changed': renderStatus,
  'terminal.alert_raised': renderAlert(false),
  'terminal.alert_cleared': renderAlert(true),
  'incident.opened': renderIncident(''),
  'incident.changed': renderIncident('Changed: '),
  'incident.resolved': renderIncident('Over: '),
  'usage.threshold_reached': renderThreshold,
  'pool.created': renderPool('was created'),
  'pool.changed': renderPool('was changed'),
  'pool.limit_reached': renderPool('has used up its data'),
  'command.finished': renderCommand,
  'user.created': renderUser('created'),
  'user.changed': renderUser('changed'),
  'user.deleted': renderUser('deleted'),
  ping: renderPing,
}

/** The content of an event for an endpoint; undefined if the endpoint may see nothing of it. */
export const renderEvent = <Type extends SentEventType>(
  db: Db,
  reader: Reader,
  type: Type,
  subject: EventSubjects[Type],
  at: Date,
): Promise<Rendered<WebhookData[Type]> | undefined> => renderers[type](db, reader, subject, at)
