import type { support } from '#contract/support.ts'
import { refusePausedSender } from '../identity/check-sender.ts'
import type { Handlers } from '../platform/http/mount.ts'
import { askAssistant, describeAssistantWait, listAssistantLimits } from './ask-assistant.ts'
import { createTicket, describeTicketWait, listTicketLimits } from './create-ticket.ts'

export const supportHandlers: Handlers<typeof support> = {
  createTicket: { checkSender: refusePausedSender(listTicketLimits, describeTicketWait), handle: createTicket },
  askAssistant: { checkSender: refusePausedSender(listAssistantLimits, describeAssistantWait), handle: askAssistant },
}
