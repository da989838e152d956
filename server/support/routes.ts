import type { support } from '#contract/support.ts'
import type { Handlers } from '../platform/http/mount.ts'
import { askAssistant } from './ask-assistant.ts'
import { createTicket } from './create-ticket.ts'

export const supportHandlers: Handlers<typeof support> = { createTicket, askAssistant }
