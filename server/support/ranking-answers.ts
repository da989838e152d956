import { type RawBuilder, sql } from 'kysely'
import { formatCounted } from '#contract/format/numbers.ts'
import { formatGb, formatSpeed } from '#contract/format/units.ts'
import { DELAYED_AFTER_MS } from '#contract/terminal-status.ts'
import type { Db } from '../platform/database/database.ts'
import { LISTED_MAX, measuredFacts, replyWithTerminals } from './fact-answers.ts'
import type { Fact, FactQuestion, Rank } from './fact-questions.ts'
import { clientsOfTerminal, getName, listVisibleTerminals, type VisibleTerminal } from './visible-terminals.ts'

interface Ranking {
  noun: string
  column: RawBuilder<unknown>
  worst: 'highest' | 'lowest'
  read: (terminal: VisibleTerminal) => number | null
  format: (value: number) => string
}

const uplink: Ranking = {
  noun: 'upload throughput',
  column: sql`latest.uplink_mbps`,
  worst: 'lowest',
  read: (terminal) => terminal.uplink,
  format: formatSpeed,
}

const RANKINGS = {
  speed: {
    noun: 'download throughput',
    column: sql`latest.downlink_mbps`,
    worst: 'lowest',
    read: (terminal) => terminal.downlink,
    format: formatSpeed,
  },
  latency: {
    ...measuredFacts.latency,
    column: sql`latest.latency_ms`,
    worst: 'highest',
    read: ({ latency }) => latency,
  },
  pingdrop: {
    ...measuredFacts.pingdrop,
    column: sql`latest.ping_drop`,
    worst: 'highest',
    read: ({ pingdrop }) => pingdrop,
  },
  signal_quality: {
    ...measuredFacts.signal_quality,
    column: sql`latest.signal_quality`,
    worst: 'lowest',
    read: (terminal) => terminal.signal_quality,
  },
  obstruction: {
    ...measuredFacts.obstruction,
    column: sql`latest.obstruction`,
    worst: 'highest',
    read: ({ obstruction }) => obstruction,
  },
  uptime: { ...measuredFacts.uptime, column: sql`latest.uptime_s`, worst: 'lowest', read: ({ uptime_s }) => uptime_s },
  clients: { ...measuredFacts.clients, column: clientsOfTerminal, worst: 'highest', read: ({ clients }) => clients },
  usage: {
    noun: 'use of priority data in this billing cycle',
    column: sql`usage.priority_gb`,
    worst: 'highest',
    read: ({ used_gb }) => used_gb,
    format: formatGb,
  },
} satisfies Partial<Record<Fact, Ranking>>

const isRanked = (fact: Fact | undefined): fact is keyof typeof RANKINGS => fact !== undefined && fact in RANKINGS

const LOW_MAY_BE_IDLE = 'Throughput is what the devices use now: a low one may mean that nobody is online there.'

const chooseOrder = (rank: Rank, worst: Ranking['worst']) => {
  if (rank === 'highest' || rank === 'lowest') return rank
  return (rank === 'worst') === (worst === 'highest') ? 'highest' : 'lowest'
}

const reportsSince = (since: Date) => sql`status.status = 'online' and latest.at >= ${since}`

/** Usage is that of the line, which would otherwise be listed with each of its terminals. */
const isFirstOnLine = sql`not exists (
  select from terminals as other
  where other.tenant_id = terminal.tenant_id and other.service_line_id = terminal.service_line_id
    and other.removed_at is null and other.id < terminal.id)`

/** How many devices are connected to the terminals that report now. */
const countClients = async (db: Db, tenantId: string, since: Date) => {
  const { rows } = await sql<{ clients: number }>`
    select coalesce(sum(newest.clients), 0)::integer as clients
    from service_lines as line
    join terminals as terminal on terminal.tenant_id = line.tenant_id and terminal.service_line_id = line.id
      and terminal.removed_at is null
    join latest on latest.tenant_id = terminal.tenant_id and latest.terminal_id = terminal.id
    join status_intervals as status on status.tenant_id = terminal.tenant_id
      and status.terminal_id = terminal.id and status.ended_at is null
    join routers as router on router.tenant_id = terminal.tenant_id and router.terminal_id = terminal.id
      and router.removed_at is null
    join latest_routers as newest on newest.tenant_id = router.tenant_id and newest.router_id = router.id
    where line.tenant_id = ${tenantId} and line.removed_at is null and ${reportsSince(since)}`.execute(db)
  return (rows[0] as { clients: number }).clients
}

const describeTotal = async (db: Db, tenantId: string, since: Date) =>
  `${formatCounted(await countClients(db, tenantId, since), 'device is', 'devices are')} connected to your terminals that report now.`

/** The first of the terminals by a value. Only those that report now are compared by what they measure. */
export const describeRanking = async (db: Db, tenantId: string, question: FactQuestion, now: Date) => {
  const fact = question.facts.find(isRanked)
  if (!fact) return undefined
  const ranking: Ranking = fact === 'speed' && question.isUpload ? uplink : RANKINGS[fact]
  const order = chooseOrder(question.rank ?? 'worst', ranking.worst)
  const since = new Date(now.getTime() - DELAYED_AFTER_MS)
  const isCompared =
    fact === 'usage'
      ? sql`usage.priority_gb is not null and ${isFirstOnLine}`
      : sql`${reportsSince(since)} and ${ranking.column} is not null`
  const direction = order === 'highest' ? sql`desc` : sql`asc`
  const listed = await listVisibleTerminals(
    db,
    tenantId,
    isCompared,
    LISTED_MAX,
    sql`${ranking.column} ${direction}, natural_key(coalesce(line.custom_name, line.nickname))`,
  )
  const links = [{ text: 'Open the terminal table', page: '/terminaltable' as const }]
  if (listed.length === 0)
    return replyWithTerminals([`None of your terminals reports its ${ranking.noun} now.`], [], links)
  const lines = listed.map((terminal) => `• ${getName(terminal)}: ${ranking.format(ranking.read(terminal) as number)}`)
  const which = fact === 'usage' ? 'your terminals' : 'your terminals that report now'
  const head =
    listed.length === 1
      ? `Only one of ${which} has a known ${ranking.noun}:`
      : `The ${order} ${ranking.noun} of ${which}:`
  const note = fact === 'speed' && order === 'lowest' ? [LOW_MAY_BE_IDLE] : []
  const total = fact === 'clients' ? [await describeTotal(db, tenantId, since)] : []
  return replyWithTerminals([...total, head, ...lines, ...note], listed, links)
}
