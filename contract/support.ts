import * as z from 'zod/mini'
import { Done } from './basic-bodies.ts'
import { moment } from './codecs.ts'
import { Email } from './credentials.ts'
import { route } from './route.ts'
import { TerminalStatus } from './terminal-status.ts'
import { requiredLine, requiredText } from './text.ts'

export const Ticket = z.strictObject({ name: requiredLine(200), email: Email, message: requiredText(10_000) })
export type Ticket = z.output<typeof Ticket>

/** A terminal that the question names and the user may see. */
const NamedTerminal = z.object({
  nickname: z.string(),
  customname: z.string(),
  status: TerminalStatus,
  isDisabled: z.boolean(),
  /** When the status began, and when the terminal last reported. */
  since: z.nullable(moment),
  lastSeen: z.nullable(moment),
})

export const AssistantAnswer = z.object({
  answer: z.string(),
  /** The source of the answer; 'nothing' means that the assistant does not know. */
  source: z.enum(['faq', 'terminals', 'nothing']),
  terminals: z.array(NamedTerminal),
  /** The assistant could not help, and the tenant has a ticket form. */
  offersTicket: z.boolean(),
})
export type AssistantAnswer = z.output<typeof AssistantAnswer>

export const support = {
  createTicket: route({
    method: 'POST',
    path: '/ticket/',
    access: 'optional',
    summary: 'Ask support for help',
    // Each of 10,000 characters may take 6 bytes in JSON.
    maxBodyBytes: 64 * 1024,
    input: Ticket,
    output: Done,
  }),
  askAssistant: route({
    method: 'POST',
    path: '/assistant/',
    access: 'optional',
    summary:
      'Answer from the tenant’s questions and answers, and from the terminals the caller may see; never by guessing',
    input: z.strictObject({ question: requiredText(500) }),
    output: AssistantAnswer,
  }),
}
