import { notFound } from '#contract/errors.ts'
import { formatDateTime } from '#contract/format/times.ts'
import type { AssistantAnswer } from '#contract/support.ts'
import { consume, perMinutes, perNetwork } from '../identity/rate-limits.ts'
import { requireTenantId } from '../identity/require-tenant.ts'
import { type AnonymousContext, type Context, openTransaction } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { getTenantConfiguration, type TenantConfiguration } from '../tenants/configuration.ts'
import { describeFleet, FLEET_WORDS, findFleetTopic } from './fleet-answers.ts'
import { HOW_TO_WORDS, listHowTos } from './how-to.ts'
import { findFaqEntry } from './match-faq.ts'
import { listNamedTerminals, listPartlyNamedTerminals } from './named-terminals.ts'
import type { FormatMoment } from './phrases.ts'
import { describeTerminals } from './terminal-answers.ts'
import { correctTypos } from './typos.ts'
import { asksForUsage, describeUsage, USAGE_WORDS, withoutPoolNames } from './usage-answers.ts'
import { contentWords } from './words.ts'

export const listAssistantLimits = (context: AnonymousContext | Context) =>
  'user' in context
    ? [perMinutes(`assistant of user:${context.user.userId}`, 100, 15)]
    : perNetwork('assistant', context.address, 100, 15)
export const describeAssistantWait = (wait: string) => `You have asked many questions. Please wait ${wait}.`

const STATUS_WORDS = contentWords(
  'online offline status up down connected disconnected working works alive reachable seen data disabled outage ok okay fine',
)
const CAUSE_WORDS = contentWords('wrong problem problems issue trouble slow broken bad happened matter alert alerts')
const TOPICAL_WORDS = new Set([
  ...STATUS_WORDS,
  ...CAUSE_WORDS,
  ...contentWords('terminal right now internet connection service network'),
])
const KNOWN_WORDS = new Set([...TOPICAL_WORDS, ...FLEET_WORDS, ...USAGE_WORDS, ...HOW_TO_WORDS])
const EQUIPMENT_NUMBER = /(?<![\p{L}\p{N}])(?:KIT[\p{L}\p{N}-]{3,}|SL-[\p{L}\p{N}-]{3,})/iu
/** A general question, even if it would match a list of terminals too. */
const GENERAL = /^\W*(how\s+(do|can|to|does|is|are)|why|what\s+(does|is|are)\s+(a|an|the|obstruction))\b/i
const HOW_IS = /^\W*how\s+(is|are)\b/i
const ASKS_FOR_MEANING = /\bmean(s|ing)?\b/i

const hasAny = (text: string, words: ReadonlySet<string>) => [...contentWords(text)].some((word) => words.has(word))

/** Explains how to reach support when the assistant has no answer. */
const referToSupport = (
  { config }: TenantConfiguration,
  reason = 'I do not know the answer to that.',
): AssistantAnswer => {
  const offersTicket = config.ticket === 'email'
  const contacts = [config.support_phone, config.support_email].filter(Boolean).join(' or ')
  const way = offersTicket ? 'Please send a ticket, and a person will help you.' : contacts && `Please ask ${contacts}.`
  return { answer: [reason, way].filter(Boolean).join(' '), source: 'nothing', terminals: [], links: [], offersTicket }
}

const answerGenerally = (
  context: AnonymousContext | Context,
  { faq }: TenantConfiguration,
  question: string,
): AssistantAnswer | undefined => {
  const user = 'user' in context ? context : undefined
  const caller = {
    isSignedIn: user !== undefined,
    isAdmin: user?.user.role === 'admin',
    can: user?.can ?? (() => false),
  }
  const own = findFaqEntry(question, faq)
  const howTo = own ? undefined : findFaqEntry(question, listHowTos(caller))
  const entry = own ?? howTo
  if (!entry) return undefined
  return {
    answer: entry.answer,
    source: 'faq',
    terminals: [],
    links: howTo?.link ? [howTo.link] : [],
    offersTicket: false,
  }
}

/** Answers from what the user may see: every query runs in the scope of their group. */
const answerFromData = async (
  db: Db,
  { tenantId, can }: Context,
  question: string,
  formatMoment: FormatMoment,
): Promise<{ answer?: AssistantAnswer; rest: string }> => {
  const { terminals: named, rest } = await listNamedTerminals(db, tenantId, question)
  if (ASKS_FOR_MEANING.test(rest)) return { rest }
  const canManagePools = can('plan_manager')
  const restOfUsage = canManagePools ? await withoutPoolNames(db, tenantId, rest) : rest
  if (asksForUsage(restOfUsage))
    return { answer: await describeUsage(db, tenantId, { question: rest, named, canManagePools }), rest }
  if (named.length > 0) {
    const withCauses = hasAny(rest, CAUSE_WORDS) || (/\bwhy\b/i.test(rest) && hasAny(rest, STATUS_WORDS))
    const isAboutThem = withCauses || hasAny(rest, STATUS_WORDS) || contentWords(rest).size === 0
    return isAboutThem ? { answer: describeTerminals(named, formatMoment, { withCauses }), rest } : { rest }
  }
  const topic = GENERAL.test(question) ? undefined : findFleetTopic(question)
  if (topic) return { answer: await describeFleet(db, tenantId, topic, formatMoment), rest }
  const withCauses = hasAny(question, CAUSE_WORDS)
  if (!withCauses && !hasAny(question, STATUS_WORDS) && !HOW_IS.test(question)) return { rest }
  const partly = await listPartlyNamedTerminals(db, tenantId, contentWords(question), TOPICAL_WORDS)
  return partly.length > 0 ? { answer: describeTerminals(partly, formatMoment, { withCauses }), rest } : { rest }
}

/** For an equipment number that is not among the user's, or a question that requires signing in. */
const explainMissing = (context: AnonymousContext | Context, settings: TenantConfiguration, rest: string) => {
  const isVisitor = !('user' in context)
  const number = EQUIPMENT_NUMBER.exec(rest)?.[0]
  const isAboutNumber =
    number !== undefined && hasAny(rest.replace(number, ' '), new Set([...STATUS_WORDS, ...CAUSE_WORDS]))
  if (isAboutNumber && !isVisitor)
    return referToSupport(settings, `I cannot find terminal ${number} among your terminals.`)
  const isGeneral = GENERAL.test(rest) || ASKS_FOR_MEANING.test(rest)
  const needsSession = isAboutNumber || asksForUsage(rest) || (!isGeneral && findFleetTopic(rest) !== undefined)
  return isVisitor && needsSession
    ? referToSupport(settings, 'Please sign in, so that I can look at your terminals.')
    : undefined
}

const findAnswer = async (
  context: AnonymousContext | Context,
  settings: TenantConfiguration,
  question: string,
  formatMoment: FormatMoment,
): Promise<AssistantAnswer | undefined> => {
  const { answer, rest } =
    'user' in context
      ? await context.transaction((db) => answerFromData(db, context, question, formatMoment))
      : { answer: undefined, rest: question }
  return answer ?? explainMissing(context, settings, rest) ?? answerGenerally(context, settings, rest)
}

const answerQuestion = async (
  context: AnonymousContext | Context,
  settings: TenantConfiguration,
  question: string,
  formatMoment: FormatMoment,
): Promise<AssistantAnswer> => {
  const answer = await findAnswer(context, settings, question, formatMoment)
  // A name may look like a typo, so typos are corrected only if there is no answer otherwise.
  const corrected = answer ? question : correctTypos(question, KNOWN_WORDS)
  return (
    answer ??
    (corrected === question ? undefined : await findAnswer(context, settings, corrected, formatMoment)) ??
    referToSupport(settings)
  )
}

/** Answers from the tenant's FAQ and from what the user may see, or says that it does not know. */
export const askAssistant = async (
  context: AnonymousContext | Context,
  { question, timeZone }: { question: string; timeZone?: string | undefined },
): Promise<AssistantAnswer> => {
  const tenantId = requireTenantId(context)
  const { now } = context.services
  const settings = await openTransaction(
    context,
    tenantId,
  )(async (db) => {
    const found = await getTenantConfiguration(db, tenantId)
    if (!found.config.chatbotEnabled) throw notFound('There is no assistant here.')
    await consume(db, tenantId, listAssistantLimits(context), now(), describeAssistantWait)
    return found
  })
  return answerQuestion(context, settings, question, (at) => formatDateTime(at, timeZone ?? settings.timeZone))
}
