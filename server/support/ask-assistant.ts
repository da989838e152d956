import { notFound } from '#contract/errors.ts'
import { formatDateTime } from '#contract/format/times.ts'
import type { AssistantAnswer } from '#contract/support.ts'
import { consume, perMinutes, perNetwork } from '../identity/rate-limits.ts'
import { requireTenantId } from '../identity/require-tenant.ts'
import { type AnonymousContext, type Context, openTransaction } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { getTenantConfiguration, type TenantConfiguration } from '../tenants/configuration.ts'
import { describeFleet, findFleetTopic } from './fleet-answers.ts'
import { listHowTos } from './how-to.ts'
import { findFaqEntry } from './match-faq.ts'
import { listNamedTerminals } from './named-terminals.ts'
import type { FormatMoment } from './phrases.ts'
import { describeTerminals } from './terminal-answers.ts'
import { asksForUsage, describeUsage, withoutPoolNames } from './usage-answers.ts'
import { contentWords } from './words.ts'

export const listAssistantLimits = (context: AnonymousContext | Context) =>
  'user' in context
    ? [perMinutes(`assistant of user:${context.user.userId}`, 100, 15)]
    : perNetwork('assistant', context.address, 100, 15)
export const describeAssistantWait = (wait: string) => `You have asked many questions. Please wait ${wait}.`

const STATUS_WORDS = contentWords(
  'online offline status up down connected disconnected working works alive reachable seen data disabled outage',
)
const CAUSE_WORDS = contentWords('wrong problem problems issue trouble slow broken bad happened matter alert alerts')
const EQUIPMENT_NUMBER = /(?<![\p{L}\p{N}])(?:KIT[\p{L}\p{N}-]{3,}|SL-[\p{L}\p{N}-]{3,})/iu
/** A general question, even if it would match a list of terminals too. */
const GENERAL = /^\W*(how\s+(do|can|to|does|is|are)|why|what\s+(does|is|are)\s+(a|an|the|obstruction))\b/i

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
  return topic ? { answer: await describeFleet(db, tenantId, topic, formatMoment), rest } : { rest }
}

/** For an equipment number that is not among the user's, or a question that requires signing in. */
const explainMissing = (context: AnonymousContext | Context, settings: TenantConfiguration, rest: string) => {
  const isVisitor = !('user' in context)
  const number = EQUIPMENT_NUMBER.exec(rest)?.[0]
  const isAboutNumber =
    number !== undefined && hasAny(rest.replace(number, ' '), new Set([...STATUS_WORDS, ...CAUSE_WORDS]))
  if (isAboutNumber && !isVisitor)
    return referToSupport(settings, `I cannot find terminal ${number} among your terminals.`)
  const needsSession =
    isAboutNumber || asksForUsage(rest) || (!GENERAL.test(rest) && findFleetTopic(rest) !== undefined)
  return isVisitor && needsSession
    ? referToSupport(settings, 'Please sign in, so that I can look at your terminals.')
    : undefined
}

const answerQuestion = async (
  context: AnonymousContext | Context,
  settings: TenantConfiguration,
  question: string,
  formatMoment: FormatMoment,
): Promise<AssistantAnswer> => {
  const { answer, rest } =
    'user' in context
      ? await context.transaction((db) => answerFromData(db, context, question, formatMoment))
      : { answer: undefined, rest: question }
  return (
    answer ??
    explainMissing(context, settings, rest) ??
    answerGenerally(context, settings, rest) ??
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
