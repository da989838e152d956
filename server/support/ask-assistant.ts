import { notFound } from '#contract/errors.ts'
import type { AssistantAnswer } from '#contract/support.ts'
import { isDisabled } from '#contract/terminal-status.ts'
import { consume, perMinutes } from '../identity/rate-limits.ts'
import { requireTenantId } from '../identity/require-tenant.ts'
import { type AnonymousContext, type Context, openTransaction } from '../platform/context.ts'
import { toCustomerNetwork } from '../platform/network.ts'
import { getTenantSettings, type TenantSettings } from '../tenants/settings.ts'
import { findFaqAnswer } from './match-faq.ts'
import { listNamedTerminals, type NamedTerminal } from './named-terminals.ts'
import { contentWords } from './words.ts'

export const listAssistantLimits = (address: string) => [perMinutes(`assistant:${toCustomerNetwork(address)}`, 100, 15)]
export const describeAssistantWait = (wait: string) => `You have asked many questions. Please wait ${wait}.`

const STATUS_WORDS = contentWords(
  'online offline status up down connected disconnected working works alive reachable seen data disabled outage',
)
const EQUIPMENT_NUMBER = /(?<![\p{L}\p{N}])(?:KIT[\p{L}\p{N}-]{3,}|SL-[\p{L}\p{N}-]{3,})/iu
const MAX_TERMINALS = 5

const asksForStatus = (words: string) => [...contentWords(words)].some((word) => STATUS_WORDS.has(word))

const formatMoment = (moment: Date) =>
  `${moment.toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} UTC`

const toSummary = ({ nickname, custom_name, status, alerts, since, last_seen }: NamedTerminal) => ({
  nickname,
  customname: custom_name ?? nickname,
  status: status ?? ('no data' as const),
  isDisabled: isDisabled(alerts ?? []),
  since,
  lastSeen: last_seen,
})
type TerminalSummary = ReturnType<typeof toSummary>

const formatStatusSentence = ({ customname, status, isDisabled, since, lastSeen }: TerminalSummary) => {
  const state = isDisabled ? 'is disabled' : status === 'no data' ? 'sends no data' : `is ${status}`
  // An alert has no start time, so a disabled terminal shows none.
  const sinceWhen = since && !isDisabled ? ` since ${formatMoment(since)}` : ''
  const seen = lastSeen ? `It last reported on ${formatMoment(lastSeen)}.` : 'It has not reported yet.'
  return `${customname} ${state}${sinceWhen}. ${seen}`
}

/** Explains how to reach support when the assistant has no answer. */
const referToSupport = ({ config }: TenantSettings, reason = 'I do not know the answer to that.'): AssistantAnswer => {
  const offersTicket = config.ticket === 'email'
  const contacts = [config.support_phone, config.support_email].filter(Boolean).join(' or ')
  const way = offersTicket ? 'Please send a ticket, and a person will help you.' : contacts && `Please ask ${contacts}.`
  return { answer: [reason, way].filter(Boolean).join(' '), source: 'nothing', terminals: [], offersTicket }
}

const describeTerminals = (named: readonly NamedTerminal[]): AssistantAnswer => {
  const terminals = named.slice(0, MAX_TERMINALS).map(toSummary)
  const more = named.length - terminals.length
  const sentences = terminals.map(formatStatusSentence)
  if (more > 0) sentences.push(`${more} more terminals match this name. Please give a kit number.`)
  return { answer: sentences.join('\n'), source: 'terminals', terminals, offersTicket: false }
}

/** The user's terminals that a question names, and the rest of the question. A visitor has no terminals. */
const readNames = async (context: AnonymousContext | Context, question: string) =>
  'user' in context
    ? context.transaction((db) => listNamedTerminals(db, context.tenantId, question))
    : { terminals: [], rest: question }

const answerQuestion = async (context: AnonymousContext | Context, settings: TenantSettings, question: string) => {
  const { terminals, rest } = await readNames(context, question)
  const isAboutStatus = asksForStatus(rest) || contentWords(rest).size === 0
  if (terminals.length > 0 && isAboutStatus) return describeTerminals(terminals)
  const number = EQUIPMENT_NUMBER.exec(rest)?.[0]
  if (number !== undefined && asksForStatus(rest.replace(number, ' '))) {
    const isVisitor = !('user' in context)
    const reason = isVisitor
      ? 'Please sign in, so that I can look at your terminals.'
      : `I cannot find terminal ${number} among your terminals.`
    return referToSupport(settings, reason)
  }
  const answer = findFaqAnswer(rest, settings.faq)
  if (answer === undefined) return referToSupport(settings)
  return { answer, source: 'faq' as const, terminals: [], offersTicket: false }
}

/** Answers from the tenant's FAQ and the terminals the user may see, or says that it does not know. */
export const askAssistant = async (
  context: AnonymousContext | Context,
  { question }: { question: string },
): Promise<AssistantAnswer> => {
  const tenantId = requireTenantId(context)
  const { now } = context.services
  const settings = await openTransaction(
    context,
    tenantId,
  )(async (db) => {
    const found = await getTenantSettings(db, tenantId)
    if (!found.config.chatbotEnabled) throw notFound('There is no assistant here.')
    await consume(db, tenantId, listAssistantLimits(context.address), now(), describeAssistantWait)
    return found
  })
  return answerQuestion(context, settings, question)
}
