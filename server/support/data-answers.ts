import { sql } from 'kysely'
import type pg from 'pg'
import { formatList } from '#contract/format/lists.ts'
import type { AssistantAnswer } from '#contract/support.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { describeFacts, type FactContext, LISTED_MAX, replyWithTerminals } from './fact-answers.ts'
import { asksToAct, FACT_QUESTION_WORDS, type Fact, type FactQuestion, findFactQuestion } from './fact-questions.ts'
import { describeFleet, explainFleet, FLEET_WORDS, findFleetTopic } from './fleet-answers.ts'
import type { FormatMoment } from './format-moment.ts'
import { listNamedTerminals, listPartlyNamedTerminals, withoutWords } from './named-terminals.ts'
import { describeRanking } from './ranking-answers.ts'
import { describeMore, describeTerminals } from './terminal-answers.ts'
import { asksForUsage, describeUsage, USAGE_WORDS, withoutPoolNames } from './usage-answers.ts'
import { getName, listVisibleTerminals, type VisibleTerminal } from './visible-terminals.ts'
import { contentWords } from './words.ts'

const STATUS_WORDS = contentWords(
  'online offline status up down connected disconnected working works alive reachable seen data disabled outage ok okay fine',
)
const CAUSE_WORDS = contentWords('wrong problem problems issue trouble slow broken bad happened matter alert alerts')
const TOPICAL_WORDS = new Set([
  ...STATUS_WORDS,
  ...CAUSE_WORDS,
  ...contentWords('terminal right now internet connection service network'),
])

/** What a question about the user's data consists of. */
export const DATA_WORDS: ReadonlySet<string> = new Set([
  ...TOPICAL_WORDS,
  ...FLEET_WORDS,
  ...USAGE_WORDS,
  ...FACT_QUESTION_WORDS,
])

/** A general question, even if it would match a list of terminals too. */
export const GENERAL = /^\W*(how\s+(do|can|to|does|is|are)|why|what\s+(does|is|are)\s+(a|an|the|obstruction))\b/i
const HOW_IS = /^\W*how\s+(is|are)\b/i
export const ASKS_FOR_MEANING = /\bmean(s|ing)?\b/i

const hasAny = (text: string, words: ReadonlySet<string>) => [...contentWords(text)].some((word) => words.has(word))

const findFacts = (rest: string) => findFactQuestion(rest, CAUSE_WORDS)

/** They say nothing about an unnamed terminal. */
const OF_NAMED = new Set<Fact>(['notes', 'group', 'usage'])
const ASKS_FOR_OWN = /\b(my|our|the|which|any|terminals)\b/i

/** Facts of terminals that are not named. */
export const findOwnFacts = (question: string) => {
  if (/\bwhy\b/i.test(question) || ASKS_FOR_MEANING.test(question)) return undefined
  const found = findFacts(question)
  if (!found || found.asksWhatItIs) return undefined
  const facts = found.rank ? found.facts : found.facts.filter((fact) => !OF_NAMED.has(fact))
  return facts.length > 0 ? { ...found, facts } : undefined
}

/** Whether a question without its names is about terminals. */
export const asksAboutTerminals = (rest: string) =>
  hasAny(rest, STATUS_WORDS) || hasAny(rest, CAUSE_WORDS) || findFacts(rest) !== undefined

interface AssistantRequest {
  db: Db
  client: pg.PoolClient
  context: Context
  /** The question, if it names no terminal, has an answer for everybody. */
  isGeneral: boolean
  formatMoment: FormatMoment
}

/** An answer, or the reason why there is none, and the question without the names in it. */
interface Found {
  answer?: AssistantAnswer | undefined
  reason?: string | undefined
  /** The terminals that the question names. */
  named?: readonly VisibleTerminal[]
  rest: string
}

const toFactContext = ({ client, context, formatMoment }: AssistantRequest): FactContext => ({
  // In the transaction of the question, which already has a connection.
  read: async <Row extends object>({ name, text, values }: Parameters<FactContext['read']>[0]) =>
    (await client.query({ name, text, values })).rows as Row[],
  tenantId: context.tenantId,
  now: context.services.now(),
  formatMoment,
})

const listAllowedFacts = ({ user, can }: Context, facts: readonly Fact[]) =>
  facts.filter((fact) => (fact === 'notes' ? can('metadata') : fact !== 'group' || user.role === 'admin'))

/** The facts of some terminals, with what is wrong with them if the question is about that too. */
const answerFacts = async (
  request: AssistantRequest,
  terminals: readonly VisibleTerminal[],
  { facts, isPast }: FactQuestion,
  { withCauses, rest }: { withCauses: boolean; rest: string },
): Promise<Found> => {
  // For a past, availability has the answer.
  if (isPast && facts.every((fact) => fact === 'uptime')) return { rest }
  const shown = terminals.slice(0, LISTED_MAX)
  if (isPast) return { reason: `I know only the newest values. The page of ${joinNames(shown)} shows the past.`, rest }
  const allowed = listAllowedFacts(request.context, facts)
  if (allowed.length === 0) return { rest }
  const lines = await describeFacts(shown, allowed, toFactContext(request))
  if (withCauses) {
    const diagnosis = describeTerminals(terminals, request.formatMoment, { withCauses })
    return { answer: { ...diagnosis, answer: [diagnosis.answer, ...lines].join('\n') }, rest }
  }
  return { answer: replyWithTerminals([...lines, ...describeMore(terminals.length - shown.length)], shown), rest }
}

const joinNames = (terminals: readonly VisibleTerminal[]) => formatList(terminals.map(getName))

const answerAboutNamed = async (
  request: AssistantRequest,
  named: readonly VisibleTerminal[],
  rest: string,
): Promise<Found> => {
  if (asksToAct(rest)) return { named, rest }
  const question = findFacts(rest)
  const asksWhy = /\bwhy\b/i.test(rest)
  const withCauses = hasAny(rest, CAUSE_WORDS) || (asksWhy && (question !== undefined || hasAny(rest, STATUS_WORDS)))
  if (question) return answerFacts(request, named, question, { withCauses, rest })
  const isAboutThem = withCauses || hasAny(rest, STATUS_WORDS) || contentWords(rest).size === 0
  return isAboutThem
    ? { answer: describeTerminals(named, request.formatMoment, { withCauses }), rest }
    : { named, rest }
}

const NAMES_TERMINALS = contentWords('terminal site line location located address position')
/** The facts of the user's own terminals, if they are few; otherwise of the first by the value. */
const answerOwnFacts = async (request: AssistantRequest, own: FactQuestion, question: string): Promise<Found> => {
  const { db, context } = request
  const now = context.services.now()
  const rest = question
  const ranking = own.rank ? await describeRanking(db, context.tenantId, own, now) : undefined
  if (ranking) return { answer: ranking, rest }
  const { facts } = own
  const isPlaceOfOther = facts.every((fact) => fact === 'place') && !hasAny(question, NAMES_TERMINALS)
  if (isPlaceOfOther) return { rest }
  const listed = await listVisibleTerminals(db, context.tenantId, sql`true`, LISTED_MAX + 1)
  if (listed.length === 0) return { answer: replyWithTerminals(['You have no terminals yet.'], []), rest }
  if (listed.length <= LISTED_MAX) return answerFacts(request, listed, own, { withCauses: false, rest })
  // Of many terminals, a low throughput only says that nobody uses them now.
  if (request.isGeneral && facts.every((fact) => fact === 'speed')) return { rest }
  const worst = own.isPast ? undefined : await describeRanking(db, context.tenantId, { ...own, rank: 'worst' }, now)
  return worst ? { answer: worst, rest } : { reason: 'Please name the terminal that you mean.', rest }
}

/** The facts of terminals of which the question has a part of the name: 'How fast is the school?' */
const answerPartlyNamedFacts = async (request: AssistantRequest, question: string): Promise<Found | undefined> => {
  const words = contentWords(question)
  const names = new Set([...words].filter((word) => !DATA_WORDS.has(word)))
  const rest = withoutWords(question, names)
  const facts = names.size > 0 ? findFacts(rest) : undefined
  if (!facts) return undefined
  const named = await listPartlyNamedTerminals(request.db, request.context.tenantId, names, new Set())
  const withCauses = hasAny(rest, CAUSE_WORDS) || /\bwhy\b/i.test(rest)
  return named.length > 0 ? answerFacts(request, named, facts, { withCauses, rest }) : undefined
}

/** Answers from what the user may see: every query runs in the scope of their group. */
export const answerFromData = async (request: AssistantRequest, question: string): Promise<Found> => {
  const { db, context, isGeneral, formatMoment } = request
  const { tenantId, can } = context
  const { terminals: named, rest } = await listNamedTerminals(db, tenantId, question)
  if (ASKS_FOR_MEANING.test(rest)) return { rest }
  const canManagePools = can('plan_manager')
  const restOfUsage = canManagePools ? await withoutPoolNames(db, tenantId, rest) : rest
  if (asksForUsage(restOfUsage))
    return { answer: await describeUsage(db, tenantId, { question: rest, named, canManagePools }), rest }
  if (named.length > 0) return answerAboutNamed(request, named, rest)
  const asksWhy = /^\W*why\b/i.test(question) && ASKS_FOR_OWN.test(question) && !isGeneral
  const topic = GENERAL.test(question) && !asksWhy ? undefined : findFleetTopic(question)
  if (topic) {
    const describe = asksWhy ? explainFleet : describeFleet
    return { answer: await describe(db, tenantId, topic, formatMoment), rest }
  }
  const own = isGeneral && !ASKS_FOR_OWN.test(question) ? undefined : findOwnFacts(question)
  if (own) return answerOwnFacts(request, own, question)
  const facts = await answerPartlyNamedFacts(request, question)
  if (facts) return facts
  const withCauses = hasAny(question, CAUSE_WORDS)
  if (!withCauses && !hasAny(question, STATUS_WORDS) && !HOW_IS.test(question)) return { rest }
  const partly = await listPartlyNamedTerminals(db, tenantId, contentWords(question), TOPICAL_WORDS)
  return partly.length > 0 ? { answer: describeTerminals(partly, formatMoment, { withCauses }), rest } : { rest }
}
