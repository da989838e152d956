import { sql } from 'kysely'
import type { TerminalStatus } from '#contract/terminal-status.ts'
import type { Db } from '../platform/database/database.ts'

interface Candidate {
  nickname: string
  custom_name: string | null
  service_line_number: string
  kit_serial: string | null
  status: TerminalStatus | null
  alerts: string[] | null
  since: Date | null
  last_seen: Date | null
}

const CANDIDATES_MAX = 200

/** Lines visible to this transaction that have a name which occurs in the text. */
const listCandidates = async (db: Db, tenantId: string, text: string) => {
  const { rows } = await sql<Candidate>`
    select line.nickname, line.custom_name, line.service_line_number, terminal.kit_serial,
      status.status, latest.alerts, status.started_at as since, latest.at as last_seen
    from service_lines as line
    left join terminals as terminal on terminal.tenant_id = line.tenant_id
      and terminal.service_line_id = line.id and terminal.removed_at is null
    left join latest on latest.tenant_id = terminal.tenant_id and latest.terminal_id = terminal.id
    left join status_intervals as status on status.tenant_id = terminal.tenant_id
      and status.terminal_id = terminal.id and status.ended_at is null
    where line.tenant_id = ${tenantId} and line.removed_at is null and (
      position(lower(line.nickname) in ${text}) > 0 or position(lower(line.custom_name) in ${text}) > 0
      or position(lower(line.service_line_number) in ${text}) > 0 or position(lower(terminal.kit_serial) in ${text}) > 0)
    order by line.nickname, terminal.id
    limit ${CANDIDATES_MAX}`.execute(db)
  return rows
}

interface Span {
  from: number
  to: number
}

const NAME_MIN = 2
const isWordPart = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character)

/** Where a name occurs in the text as whole words. */
const findSpans = (text: string, name: string): Span[] => {
  const spans: Span[] = []
  if (name.trim().length < NAME_MIN) return spans
  for (let from = text.indexOf(name); from !== -1; from = text.indexOf(name, from + 1)) {
    const to = from + name.length
    if (!isWordPart(text[from - 1]) && !isWordPart(text[to])) spans.push({ from, to })
  }
  return spans
}

const isInside = (one: Span, other: Span) =>
  other.from <= one.from && one.to <= other.to && other.to - other.from > one.to - one.from

/** The terminals that a text names. 'Nome School' does not also name a line called 'Nome'. */
export const listNamedTerminals = async (db: Db, tenantId: string, question: string) => {
  const text = question.toLowerCase()
  const found = (await listCandidates(db, tenantId, text)).map((row) => {
    const names = [row.nickname, row.custom_name, row.service_line_number, row.kit_serial]
    return { row, spans: names.flatMap((name) => (name ? findSpans(text, name.toLowerCase()) : [])) }
  })
  const all = found.flatMap(({ spans }) => spans)
  const isFree = (span: Span) => !all.some((other) => isInside(span, other))
  const named = found.flatMap(({ row, spans }) => {
    const free = spans.filter(isFree)
    return free.length > 0 ? [{ row, spans: free }] : []
  })
  return {
    terminals: named.map(({ row }) => row),
    rest: withoutSpans(
      question,
      named.flatMap(({ spans }) => spans),
    ),
  }
}

export type NamedTerminal = Candidate

/** The text without the names in it. */
const withoutSpans = (text: string, spans: readonly Span[]) =>
  text
    .split('')
    .map((character, at) => (spans.some(({ from, to }) => from <= at && at < to) ? ' ' : character))
    .join('')
