import { formatSome } from '#contract/format/lists.ts'
import type { Incident, IncidentLoss } from '#contract/incidents.ts'

export interface Step {
  at: Date
  text: string
}

const SAME_MOMENT_MS = 60_000
const MAX_NAMED = 3

/** Combines terminals that changed within a minute into one step. */
const gather = (moments: { at: Date; name: string }[], text: (names: string) => string): Step[] => {
  const steps: { at: Date; names: string[] }[] = []
  for (const { at, name } of moments.toSorted((one, other) => one.at.getTime() - other.at.getTime())) {
    const last = steps.at(-1)
    if (last && at.getTime() - last.at.getTime() <= SAME_MOMENT_MS) last.names.push(name)
    else steps.push({ at, names: [name] })
  }
  return steps.map(({ at, names }) => ({ at, text: text(formatSome([...new Set(names)], MAX_NAMED)) }))
}

/** What happened in an incident, oldest first. */
export const buildTimeline = (incident: Incident, losses: readonly IncidentLoss[]): Step[] => {
  const lost = losses.map(({ name, lostAt }) => ({ name, at: lostAt }))
  const back = losses.flatMap(({ name, backAt }) => (backAt ? [{ name, at: backAt }] : []))
  return [
    ...gather(lost, (names) => `Lost: ${names}`),
    // When an account is connected, incidents of its past are opened after they have ended.
    ...(incident.endedAt && incident.openedAt > incident.endedAt ? [] : [{ at: incident.openedAt, text: 'Noticed' }]),
    ...(incident.acknowledgedAt
      ? [
          {
            at: incident.acknowledgedAt,
            text: `Acknowledged${incident.acknowledgedBy ? ` by ${incident.acknowledgedBy}` : ''}`,
          },
        ]
      : []),
    ...gather(back, (names) => `Back: ${names}`),
    // Also of terminals that left the account while they were down.
    ...(incident.endedAt && (losses.length === 0 || losses.some(({ backAt }) => !backAt))
      ? [{ at: incident.endedAt, text: 'Over' }]
      : []),
  ].sort((one, other) => one.at.getTime() - other.at.getTime())
}
