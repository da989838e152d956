import type { support } from '#contract/support.ts'
import type { Handlers } from '../http.ts'
import { askAssistant } from './ask-assistant.ts'
import { createTicket } from './create-ticket.ts'

export const supportHandlers: Handlers<typeof support> = { createTicket, askAssistant }
