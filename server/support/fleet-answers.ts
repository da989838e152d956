import { sql } from 'kysely'
import { getAlertTitle } from '#contract/alerts.ts'
import { formatList } from '#contract/format/lists.ts'
import { formatCount, formatCounted } from '#contract/format/numbers.ts'
import type { AssistantAnswer } from '#contract/support.ts'
import type { Db } from '../platform/database/database.ts'
import { LISTED_MAX as EXPLAINED_MAX } from './fact-answers.ts'
import type { FormatMoment } from './format-moment.ts'
import { describeTerminals } from './terminal-answers.ts'
import { getName, listVisibleTerminals, toAssistantTerminal, type VisibleTerminal } from './visible-terminals.ts'
import { contentWords } from './words.ts'

export type FleetTopic = 'offline' | 'no data' | 'disabled' | 'online' | 'alerts'

const LISTED_MAX = 10

const disabled = sql`exists (select from unnest(latest.alerts) as alert where alert = 'disabled' or alert like 'disabled\\_%')`

const CONDITIONS = {
  offline: sql`status.status = 'offline' and not coalesce(${disabled}, false)`,
  'no data': sql`coalesce(status.status, 'no data') = 'no data' and not coalesce(${disabled}, false)`,
  disabled: sql`${disabled}`,
  online: sql`status.status = 'online' and not coalesce(${disabled}, false)`,
  alerts: sql`cardinality(latest.alerts) > 0`,
}

const TOPIC_WORDS: [FleetTopic, Set<string>][] = [
  ['no data', contentWords('silent nodata')],
  ['disabled', contentWords('disabled suspended')],
  ['alerts', contentWords('alert warning problem trouble issue wrong attention')],
  ['offline', contentWords('offline down out outage unreachable disconnected unavailable broken ok okay fine')],
  ['online', contentWords('online up connected working reachable available')],
]

/** Words that may accompany the topic: the question is about all terminals and nothing else. */
const AROUND = contentWords(
  'terminal terminals list show tell many much all any every everything currently now right moment today still site sites line lines fleet status something anything else there ones number count who down up internet connection service network',
)

/** What a question about all terminals consists of. */
export const FLEET_WORDS: ReadonlySet<string> = new Set([...TOPIC_WORDS.flatMap(([, known]) => [...known]), ...AROUND])

const COUNTS = /\bhow\s+many\b.*\b(terminal|site|line|dish|kit)/i

/** The topic of a question about the whole fleet; undefined for any other question. */
export const findFleetTopic = (question: string): FleetTopic | undefined => {
  const words = contentWords(question.replace(/\bno\s+data\b/gi, 'nodata'))
  const isAround = (known?: ReadonlySet<string>) => [...words].every((word) => known?.has(word) || AROUND.has(word))
  const topic = TOPIC_WORDS.find(([, known]) => [...words].some((word) => known.has(word)))
  // How many terminals there are is a part of how many of them are online.
  if (!topic) return isAround() && COUNTS.test(question) ? 'online' : undefined
  const [name, known] = topic
  return isAround(known) ? name : undefined
}

interface Counts {
  terminals: number
  matching: number
}

/** Counts like the dashboard: a line without a terminal counts as no data. */
const countTerminals = async (db: Db, tenantId: string, topic: FleetTopic): Promise<Counts> => {
  const { rows } = await sql<Counts>`
    select count(*)::int as terminals, (count(*) filter (where ${CONDITIONS[topic]}))::int as matching
    from service_lines as line
    left join terminals as terminal on terminal.tenant_id = line.tenant_id
      and terminal.service_line_id = line.id and terminal.removed_at is null
    left join latest on latest.tenant_id = terminal.tenant_id and latest.terminal_id = terminal.id
    left join status_intervals as status on status.tenant_id = terminal.tenant_id
      and status.terminal_id = terminal.id and status.ended_at is null
    where line.tenant_id = ${tenantId} and line.removed_at is null`.execute(db)
  return rows[0] as Counts
}

const STATES: Record<FleetTopic, [one: string, many: string]> = {
  offline: ['is offline', 'are offline'],
  'no data': ['sends no data', 'send no data'],
  disabled: ['is disabled', 'are disabled'],
  online: ['is online', 'are online'],
  alerts: ['has alerts', 'have alerts'],
}

const describeOne = (topic: FleetTopic, terminal: VisibleTerminal, formatMoment: FormatMoment) => {
  if (topic === 'alerts' || topic === 'disabled')
    return `${getName(terminal)}: ${formatList((terminal.alerts ?? []).map(getAlertTitle))}`
  return terminal.since ? `${getName(terminal)}, since ${formatMoment(terminal.since)}` : getName(terminal)
}

/** How many of the user's terminals are in a state, and which. */
export const describeFleet = async (
  db: Db,
  tenantId: string,
  topic: FleetTopic,
  formatMoment: FormatMoment,
): Promise<AssistantAnswer> => {
  const { terminals, matching } = await countTerminals(db, tenantId, topic)
  const [one, many] = STATES[topic]
  const answer = (text: string, listed: VisibleTerminal[]): AssistantAnswer => ({
    answer: text,
    source: 'terminals',
    terminals: listed.map(toAssistantTerminal),
    links:
      topic === 'alerts' || matching === 0
        ? [{ text: 'Open the dashboard', page: '/dashboard' }]
        : [{ text: `Show them on the dashboard`, page: '/dashboard', status: topic }],
    offersTicket: false,
  })
  if (terminals === 0) return answer('You have no terminals yet.', [])
  const total = formatCounted(terminals, 'terminal')
  if (matching === 0) return answer(`None of your ${total} ${one}.`, [])
  const head = `${formatCount(matching)} of your ${total} ${matching === 1 ? one : many}`
  // For working terminals, the number is the answer.
  if (topic === 'online') return answer(`${head}.`, [])
  const listed = await listVisibleTerminals(db, tenantId, CONDITIONS[topic], LISTED_MAX)
  const lines = listed.map((terminal) => `• ${describeOne(topic, terminal, formatMoment)}`)
  const more = matching - listed.length
  if (more > 0) lines.push(`and ${formatCount(more)} more.`)
  return answer([`${head}:`, ...lines].join('\n'), listed)
}

/** Why the user's terminals are in a state, if they are few; otherwise which they are. */
export const explainFleet = async (
  db: Db,
  tenantId: string,
  topic: FleetTopic,
  formatMoment: FormatMoment,
): Promise<AssistantAnswer> => {
  const listed = await listVisibleTerminals(db, tenantId, CONDITIONS[topic], EXPLAINED_MAX + 1)
  return topic === 'online' || listed.length === 0 || listed.length > EXPLAINED_MAX
    ? describeFleet(db, tenantId, topic, formatMoment)
    : describeTerminals(listed, formatMoment, { withCauses: true })
}
