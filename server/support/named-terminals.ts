import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { getName, listVisibleTerminals } from './visible-terminals.ts'
import { contentWords } from './words.ts'

const CANDIDATES_MAX = 200

interface Span {
  from: number
  to: number
}

const NAME_MIN = 2
const isWordPart = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character)

/** Marks of other scripts belong to their letters. */
const withoutAccents = (text: string) => text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '')

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

/** The text without the names in it. */
const withoutSpans = (text: string, spans: readonly Span[]) =>
  text
    .split('')
    .map((character, at) => (spans.some(({ from, to }) => from <= at && at < to) ? ' ' : character))
    .join('')

/**
 * The rows named in a text, with or without accents, and the rest of the text. 'Nome School' does not also match a line called
 * 'Nome'.
 */
export const findNamed = <Row>(rows: readonly Row[], listNames: (row: Row) => (string | null)[], question: string) => {
  const plain = withoutAccents(question)
  const text = plain.toLowerCase()
  const candidates = rows.map((row) => ({
    row,
    spans: listNames(row).flatMap((name) => (name ? findSpans(text, withoutAccents(name).toLowerCase()) : [])),
  }))
  const all = candidates.flatMap(({ spans }) => spans)
  const isFree = (span: Span) => !all.some((other) => isInside(span, other))
  const named = candidates.flatMap(({ row, spans }) => {
    const free = spans.filter(isFree)
    return free.length > 0 ? [{ row, spans: free }] : []
  })
  const rest = withoutSpans(
    plain,
    named.flatMap(({ spans }) => spans),
  )
  return { found: named.map(({ row }) => row), rest }
}

/** The text without the given content words. */
export const withoutWords = (text: string, words: ReadonlySet<string>) =>
  text.replace(/[\p{L}\p{N}\p{M}'’]+/gu, (word) =>
    [...contentWords(word)].some((each) => words.has(each)) ? ' ' : word,
  )

/** A column without accents and in lower case. Nearly all names are ASCII, which needs no normalization. */
const plainName = (column: RawBuilder<unknown>) => sql`
  case when octet_length(${column}) = length(${column}) then lower(${column})
  else regexp_replace(normalize(lower(${column}), nfkd), '[\\u0300-\\u036f]', '', 'g') end`

/** The visible terminals that a question names, and the rest of the question. */
export const listNamedTerminals = async (db: Db, tenantId: string, question: string) => {
  const text = withoutAccents(question).toLowerCase()
  const isNamed = sql`(position(${plainName(sql`line.nickname`)} in ${text}) > 0
    or position(${plainName(sql`line.custom_name`)} in ${text}) > 0
    or position(lower(line.service_line_number) in ${text}) > 0 or position(lower(terminal.kit_serial) in ${text}) > 0)`
  const candidates = await listVisibleTerminals(db, tenantId, isNamed, CANDIDATES_MAX)
  const { found, rest } = findNamed(
    candidates,
    (row) => [row.nickname, row.custom_name, row.service_line_number, row.kit_serial],
    question,
  )
  return { terminals: found, rest }
}

/**
 * The visible terminals whose names contain all words of a question except the topical ones: 'Nome' matches 'Nome School'.
 * None if a word is in no name, since the question is then about something else.
 */
export const listPartlyNamedTerminals = async (
  db: Db,
  tenantId: string,
  words: ReadonlySet<string>,
  topical: ReadonlySet<string>,
) => {
  const names = [...words].filter((word) => !topical.has(word))
  if (names.length === 0) return []
  const isLike = names.map(
    (word) => sql`position(${word} in ${plainName(sql`coalesce(line.custom_name, line.nickname)`)}) > 0`,
  )
  const candidates = await listVisibleTerminals(db, tenantId, sql.join(isLike, sql` and `), CANDIDATES_MAX)
  return candidates.filter((row) => {
    const own = contentWords(getName(row))
    return names.every((word) => own.has(word))
  })
}
