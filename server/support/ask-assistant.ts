import { notFound } from '#contract/errors.ts'
import { formatAlternatives } from '#contract/format/lists.ts'
import { formatDateTime } from '#contract/format/times.ts'
import type { AssistantAnswer } from '#contract/support.ts'
import { consume, perMinutes, perNetwork } from '../identity/rate-limits.ts'
import { requireTenantId } from '../identity/require-tenant.ts'
import { type AnonymousContext, type Context, openTransaction } from '../platform/context.ts'
import { getTenantConfiguration, type TenantConfiguration } from '../tenants/configuration.ts'
import {
  ASKS_FOR_MEANING,
  answerFromData,
  asksAboutTerminals,
  DATA_WORDS,
  findOwnFacts,
  GENERAL,
} from './data-answers.ts'
import { asksToAct } from './fact-questions.ts'
import { findFleetTopic } from './fleet-answers.ts'
import type { FormatMoment } from './format-moment.ts'
import { HOW_TO_WORDS, listHowTos } from './how-to.ts'
import { findFaqEntry } from './match-faq.ts'
import { correctTypos } from './typos.ts'
import { asksForUsage } from './usage-answers.ts'
import { toAssistantTerminal, type VisibleTerminal } from './visible-terminals.ts'

export const listAssistantLimits = (context: AnonymousContext | Context) =>
  'user' in context
    ? [perMinutes(`assistant of user:${context.user.userId}`, 100, 15)]
    : perNetwork('assistant', context.address, 100, 15)
export const describeAssistantWait = (wait: string) => `You have asked many questions. Please wait ${wait}.`

const EQUIPMENT_NUMBER = /(?<![\p{L}\p{N}])(?:KIT[\p{L}\p{N}-]{3,}|SL-[\p{L}\p{N}-]{3,})/iu
const KNOWN_WORDS = new Set([...DATA_WORDS, ...HOW_TO_WORDS])

/** Explains how to reach support when the assistant has no answer. */
const referToSupport = (
  { config }: TenantConfiguration,
  reason = 'I do not know the answer to that.',
): AssistantAnswer => {
  const offersTicket = config.ticket === 'email'
  const contacts = formatAlternatives([config.support_phone, config.support_email].filter((way) => way !== undefined))
  const way = offersTicket ? 'Please send a ticket, and a person will help you.' : contacts && `Please ask ${contacts}.`
  return { answer: [reason, way].filter(Boolean).join(' '), source: 'nothing', terminals: [], links: [], offersTicket }
}

const ASKS_FOR_PERSON =
  /\b(contact|reach|call|talk|speak|write)\b.*\b(support|you|someone|somebody|person|human|agent)\b|\b(your|support)\s+(phone|e-?mail|number|ticket)\b|\bopen\s+(a\s+|another\s+)?ticket\b|^\W*((contact|support|help|human|person|agent|please|a|real|the)\W*)+$/i

/** How to reach a person. */
const describeContact = ({ config }: TenantConfiguration, question: string): AssistantAnswer | undefined => {
  if (!ASKS_FOR_PERSON.test(question)) return undefined
  const offersTicket = config.ticket === 'email'
  const { support_phone: phone, support_email: email } = config
  const ways = [
    ...(phone ? [`call ${phone}`] : []),
    ...(email ? [`write to ${email}`] : []),
    ...(offersTicket ? ['send a ticket'] : []),
  ]
  if (ways.length === 0) return undefined
  return { answer: `You can ${formatAlternatives(ways)}.`, source: 'faq', terminals: [], links: [], offersTicket }
}

const answerGenerally = (
  context: AnonymousContext | Context,
  { faq }: TenantConfiguration,
  question: string,
  named: readonly VisibleTerminal[] = [],
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
    answer: asksToAct(question) ? `I only answer questions. ${entry.answer}` : entry.answer,
    source: 'faq',
    terminals: named.map(toAssistantTerminal),
    links: howTo?.link ? [howTo.link] : [],
    offersTicket: false,
  }
}

/** For an equipment number that is not among the user's, or a question that requires signing in. */
const explainMissing = (
  context: AnonymousContext | Context,
  settings: TenantConfiguration,
  rest: string,
  { isGeneral }: { isGeneral: boolean },
) => {
  const isVisitor = !('user' in context)
  const number = EQUIPMENT_NUMBER.exec(rest)?.[0]
  const isAboutNumber = number !== undefined && asksAboutTerminals(rest.replace(number, ' '))
  if (isAboutNumber && !isVisitor)
    return referToSupport(settings, `I cannot find terminal ${number} among your terminals.`)
  const isAboutFleet =
    (!GENERAL.test(rest) && !ASKS_FOR_MEANING.test(rest) && findFleetTopic(rest) !== undefined) ||
    (!isGeneral && findOwnFacts(rest) !== undefined)
  const needsSession = isAboutNumber || asksForUsage(rest) || isAboutFleet
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
  const isGeneral = answerGenerally(context, settings, question) !== undefined
  const { answer, reason, named, rest } =
    'user' in context
      ? await context.transaction((db, client) =>
          answerFromData({ db, client, context, isGeneral, formatMoment }, question),
        )
      : { rest: question, named: [] }
  return (
    answer ??
    (reason === undefined ? undefined : referToSupport(settings, reason)) ??
    explainMissing(context, settings, rest, { isGeneral }) ??
    describeContact(settings, rest) ??
    answerGenerally(context, settings, named?.length ? `${rest} terminal` : rest, named)
  )
}

const BILLS = /\b(bills?|billed|invoices?|prices?|costs?|pay|payments?|contracts?|cancel|refunds?|subscribe)\b/i

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
    referToSupport(settings, BILLS.test(question) ? 'I do not know bills, prices or contracts.' : undefined)
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
    if (!found.config.chatbotEnabled) throw notFound('This portal has no assistant.')
    await consume(db, tenantId, listAssistantLimits(context), now(), describeAssistantWait)
    return found
  })
  return answerQuestion(context, settings, question, (at) => formatDateTime(at, timeZone ?? settings.timeZone))
}
