import { findAlertText, getAlertTitle } from '#contract/alerts.ts'
import { formatCounted, formatPercent, formatShort } from '#contract/format/numbers.ts'
import { formatGb, formatLatency } from '#contract/format/units.ts'
import type { AssistantAnswer } from '#contract/support.ts'
import { isDisabled } from '#contract/terminal-status.ts'
import { LISTED_MAX, replyWithTerminals } from './fact-answers.ts'
import type { FormatMoment } from './format-moment.ts'
import { getName, type VisibleTerminal } from './visible-terminals.ts'

const MUCH_OBSTRUCTED = 0.01
const MUCH_LOST = 0.02
const SLOW_LATENCY_MS = 100

const formatStatusSentence = (terminal: VisibleTerminal, formatMoment: FormatMoment) => {
  const { status, alerts, since, last_seen } = terminal
  const disabled = isDisabled(alerts ?? [])
  const state = disabled ? 'is disabled' : status === null || status === 'no data' ? 'sends no data' : `is ${status}`
  // An alert has no start time, so a disabled terminal shows none.
  const sinceWhen = since && !disabled ? ` since ${formatMoment(since)}` : ''
  const seen = last_seen ? `It last reported on ${formatMoment(last_seen)}.` : 'It has not reported yet.'
  return `${getName(terminal)} ${state}${sinceWhen}. ${seen}`
}

const describeAlert = (alert: string) => {
  const known = findAlertText(alert)
  return known ? `${known.title}: ${known.meaning} ${known.action}` : `It reports the alert ${getAlertTitle(alert)}.`
}

/** Notable values of the newest sample; a silent terminal has none. */
const listFindings = ({ status, alerts, obstruction, pingdrop, latency, used_gb, limit_gb }: VisibleTerminal) => {
  const findings = (alerts ?? []).map(describeAlert)
  if (status === 'online') {
    if ((obstruction ?? 0) > MUCH_OBSTRUCTED)
      findings.push(`Its view of the sky is obstructed ${formatPercent((obstruction as number) * 100, 1)} of the time.`)
    if ((pingdrop ?? 0) > MUCH_LOST)
      findings.push(`It loses ${formatPercent((pingdrop as number) * 100, 1)} of its packets.`)
    if ((latency ?? 0) > SLOW_LATENCY_MS) findings.push(`Its latency is ${formatLatency(latency as number)}.`)
  }
  if (limit_gb && (used_gb ?? 0) >= limit_gb)
    findings.push(`Its line has used ${formatShort(used_gb as number)} of ${formatGb(limit_gb)}, all of its data.`)
  return findings
}

const SILENT = 'Check its power and cables, and that nothing covers the dish.'

const diagnose = (terminal: VisibleTerminal, formatMoment: FormatMoment) => {
  const findings = listFindings(terminal)
  const isSilent = terminal.status !== 'online' && !isDisabled(terminal.alerts ?? [])
  if (isSilent) findings.push(SILENT)
  if (findings.length === 0) findings.push('I see nothing wrong with it: no alerts, a clear sky and few lost packets.')
  return [formatStatusSentence(terminal, formatMoment), ...findings].join('\n')
}

/** For a name that matches more terminals than the answer has. */
export const describeMore = (more: number) =>
  more > 0
    ? [`${formatCounted(more, 'more terminal matches', 'more terminals match')} this name. Please give a kit number.`]
    : []

/** The status of the terminals that a question names, or what is wrong with them. */
export const describeTerminals = (
  named: readonly VisibleTerminal[],
  formatMoment: FormatMoment,
  { withCauses }: { withCauses: boolean },
): AssistantAnswer => {
  const shown = named.slice(0, LISTED_MAX)
  const describe = withCauses ? diagnose : formatStatusSentence
  const sentences = shown.map((terminal) => describe(terminal, formatMoment))
  return replyWithTerminals([...sentences, ...describeMore(named.length - shown.length)], shown)
}
