import * as z from 'zod/mini'
import { moment } from './codecs.ts'
import { Email } from './credentials.ts'
import { route } from './route.ts'
import { TerminalStatus } from './terminal-status.ts'
import { requiredLine, requiredText, text, textLike } from './text.ts'
import { TimeZone } from './time-zone.ts'

const CONVERSATION_MAX = 20

/** One question to the assistant and its answer. */
const Exchange = z.strictObject({ question: requiredText(500), answer: text(5_000) })

export const Ticket = z.strictObject({
  name: requiredLine(200),
  email: Email,
  message: requiredText(10_000),
  /** Where it was opened: the path of the page, and the terminal that the page shows. */
  page: z.optional(textLike(2_000, /^\/[^\s\p{Cc}]*$/u, 'This is not the path of a page.')),
  terminal: z.optional(requiredLine(500)),
  /** The question that the assistant could not answer, with the conversation before it. */
  conversation: z.optional(
    z.array(Exchange).check(z.maxLength(CONVERSATION_MAX, `Please send at most ${CONVERSATION_MAX} questions.`)),
  ),
})
export type Ticket = z.output<typeof Ticket>

/** A terminal that an answer is about and the user may see. */
const AssistantTerminal = z.object({
  nickname: z.string(),
  customname: z.string(),
  status: TerminalStatus,
  isDisabled: z.boolean(),
  /** When the status began, and when the terminal last reported. */
  since: z.nullable(moment),
  lastSeen: z.nullable(moment),
})
export type AssistantTerminal = z.output<typeof AssistantTerminal>

/** A page with more information. */
const AssistantLink = z.object({
  text: z.string(),
  page: z.enum([
    '/dashboard',
    '/terminaltable',
    '/plan-manager',
    '/profile',
    '/admin-page',
    '/editing-logs',
    '/incidents',
    '/availability',
    '/maintenance',
    '/reports',
    '/access-control',
    '/deliveries',
    '/dev-dashboard',
    '/security-events',
    '/settings',
    '/single-sign-on',
    '/webhooks',
  ]),
  /** Shows only terminals of this status. */
  status: z.optional(z.enum(['online', 'offline', 'no data', 'disabled'])),
})
export type AssistantLink = z.output<typeof AssistantLink>

export const AssistantAnswer = z.object({
  answer: z.string(),
  /** The source of the answer; 'nothing' means that the assistant does not know. */
  source: z.enum(['faq', 'terminals', 'usage', 'nothing']),
  terminals: z.array(AssistantTerminal),
  links: z.array(AssistantLink),
  /** The assistant could not help, and the tenant has a ticket form. */
  offersTicket: z.boolean(),
})
export type AssistantAnswer = z.output<typeof AssistantAnswer>

/** The most frequent questions. Each has an answer: for users from live data, for visitors about how the portal is used. */
export const suggestedQuestions = {
  user: [
    'Which terminals are offline?',
    'Which terminals have alerts?',
    'How much data is left?',
    'How do I get notifications?',
  ],
  visitor: ['How do I sign in?', 'I forgot my password', 'What does obstruction mean?', 'How is data usage counted?'],
}

export const support = {
  createTicket: route({
    method: 'POST',
    path: '/ticket/',
    access: 'optional',
    summary: 'Ask support for help',
    // Each of 10,000 characters may take 6 bytes in JSON, and so may those of the conversation, which visitors truncate to fit.
    maxBodyBytes: 768 * 1024,
    maxVisitorBodyBytes: 64 * 1024,
    input: Ticket,
    output: z.object({ message: z.string(), number: z.int() }),
  }),
  askAssistant: route({
    method: 'POST',
    path: '/assistant/',
    access: 'optional',
    summary:
      'Answer from the tenant’s questions and answers, and from the terminals and pools the caller may see; never by guessing',
    input: z.strictObject({ question: requiredText(500), timeZone: z.optional(TimeZone) }),
    output: AssistantAnswer,
  }),
}
