import { Title } from '@mantine/core'
import { formatLength } from '#contract/format/durations.ts'
import { formatCount, formatCounted, formatTarget } from '#contract/format/numbers.ts'
import { formatDateTime, formatDay, formatMoment } from '#contract/format/times.ts'
import { formatGb, formatWholeGb } from '#contract/format/units.ts'
import {
  aboutAvailability,
  areIncidentsUnknown,
  countIncidents,
  describeIncidentCount,
  formatAvailability,
  formatReportScope,
  summarizeReport,
} from '#contract/report-words.ts'
import type { Report, ReportIncident } from '#contract/reports.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import classes from './ReportView.module.css'
import { groupColumns, lineColumns, poolColumns, terminalColumns } from './report-columns.tsx'

const listFigures = (report: Report): [string, string, string][] => {
  const { availability, incidentCount, usage } = report
  const { percent, target, isBreached, longestS } = availability
  return [
    [
      'Availability',
      formatAvailability(percent),
      target === null ? 'Of the time observed' : `Target ${formatTarget(target)} ${isBreached ? 'missed' : 'met'}`,
    ],
    ['Incidents', areIncidentsUnknown(report) ? '-' : formatCount(incidentCount), describeIncidentCount(report)],
    [
      'Longest outage',
      longestS === 0 ? '-' : formatLength(longestS),
      percent === null ? 'Not observed' : longestS === 0 ? 'No outage' : 'Of one terminal',
    ],
    [
      'Data used',
      formatWholeGb(usage.usedGb),
      usage.previousGb === null ? 'In days of UTC' : `${formatWholeGb(usage.previousGb)} in the period before`,
    ],
  ]
}

/** The figures of a report. */
export function ReportView({ report }: { report: Report }) {
  const { timeZone, from, until, usage, pools, groups, groupCount, terminals, terminalCount } = report
  return (
    <div className={classes.report}>
      <p className={classes.quiet}>
        {formatReportScope(report)} · {formatDateTime(from, timeZone)} to {formatDateTime(until, timeZone)}
      </p>
      <p className={classes.summary}>{summarizeReport(report).join(' ')}</p>
      <dl className={classes.figures}>
        {listFigures(report).map(([label, value, note]) => (
          <div key={label} className={classes.figure}>
            <dt>{label}</dt>
            <dd className={classes.large}>{value}</dd>
            <dd className={classes.quiet}>{note}</dd>
          </div>
        ))}
      </dl>
      <TimeBar {...report.availability} />
      <Incidents {...report} />
      {usage.days.length > 0 && <DayChart days={usage.days} />}
      {pools.length > 0 && (
        <Part title="Data pools">
          <DataTable label="Data pools" columns={poolColumns} rows={pools} rowKey={({ name }) => name} empty="-" />
        </Part>
      )}
      {usage.lines.length > 0 && (
        <Part title="Terminals that used most data">
          <DataTable
            label="Terminals that used most data"
            columns={lineColumns}
            rows={usage.lines}
            rowKey={({ name, group }) => `${group} ${name}`}
            empty="-"
          />
        </Part>
      )}
      {groups.length > 0 && (
        <Part title={countTitle('Groups', groups.length, groupCount)}>
          <DataTable label="Groups" columns={groupColumns} rows={groups} rowKey={({ group }) => group} empty="-" />
        </Part>
      )}
      <Part title={countTitle('Terminals', terminals.length, terminalCount)}>
        <DataTable
          label="Terminals"
          columns={terminalColumns}
          rows={terminals}
          rowKey={({ nickname, kit }) => `${nickname} ${kit}`}
          empty="There were no terminals in this period."
        />
      </Part>
      <p className={classes.quiet}>
        {aboutAvailability} Data is counted in days of UTC. Made {formatDateTime(report.madeAt, timeZone)}.
      </p>
    </div>
  )
}

const countTitle = (title: string, shown: number, all: number) =>
  all > shown ? `${title}: the ${formatCount(shown)} least available of ${formatCount(all)}` : title

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className={classes.part}>
      <Title order={2} size="h4">
        {title}
      </Title>
      {children}
    </section>
  )
}

function TimeBar({ upS, downS, plannedS, notObservedS }: Report['availability']) {
  const parts = [
    ['Up', upS, classes.up],
    ['Down', downS, classes.down],
    ['Planned', plannedS, classes.planned],
    ['Not observed', notObservedS, classes.unknown],
  ] as const
  return (
    <Part title="Time of all terminals">
      <div className={classes.bar} aria-hidden="true">
        {parts.map(([name, seconds, color]) => (
          <span key={name} className={color} style={{ flexGrow: seconds, minWidth: seconds > 0 ? 2 : 0 }} />
        ))}
      </div>
      <ul className={classes.legend}>
        {parts.map(([name, seconds, color]) => (
          <li key={name}>
            <span className={`${classes.dot} ${color}`} aria-hidden="true" />
            {name} {formatLength(seconds)}
          </li>
        ))}
      </ul>
    </Part>
  )
}

function Incidents({ incidents, incidentCount, timeZone }: Report) {
  return (
    <Part title={countIncidents(incidents.length, incidentCount)}>
      {incidents.length === 0 && <p>No incident is recorded in this period.</p>}
      <ul className={classes.incidents}>
        {incidents.map((incident) => (
          <li key={`${incident.startedAt.getTime()} ${incident.title}`}>
            <b>{incident.title}</b>
            <span className={classes.quiet}>{describeTime(incident, timeZone)}</span>
            <span>{incident.explanation}</span>
          </li>
        ))}
      </ul>
    </Part>
  )
}

const describeTime = ({ startedAt, endedAt, terminals }: ReportIncident, timeZone: string) => {
  const end = endedAt
    ? `to ${formatMoment(endedAt, timeZone)} (${formatLength((endedAt.getTime() - startedAt.getTime()) / 1000)})`
    : '(not over)'
  return `${formatMoment(startedAt, timeZone)} ${end} · ${formatCounted(terminals, 'terminal')}`
}

function DayChart({ days }: { days: Report['usage']['days'] }) {
  const most = Math.max(...days.map(({ gb }) => gb), 0.001)
  const highest = days.find(({ gb }) => gb === most)
  return (
    <Part title="Data by day">
      <ol className={classes.days}>
        {days.map(({ day, gb }) => (
          <li key={day} title={`${formatDay(day)}: ${formatGb(gb)}`}>
            <span style={{ height: `${Math.max(1, (100 * gb) / most)}%` }} />
            <span className={classes.hidden}>
              {formatDay(day)}: {formatGb(gb)}
            </span>
          </li>
        ))}
      </ol>
      <div className={classes.ends}>
        <span>{formatDay(days[0]?.day as string)}</span>
        {highest && (
          <span>
            Most: {formatGb(highest.gb)} on {formatDay(highest.day)}
          </span>
        )}
        <span>{formatDay(days.at(-1)?.day as string)}</span>
      </div>
    </Part>
  )
}
