import type { support } from '#contract/support.ts'
import { refuseExhaustedNetwork } from '../identity/rate-limits.ts'
import type { Handlers } from '../platform/http/mount.ts'
import { askAssistant, assistantNetworkLimit, tooManyQuestions } from './ask-assistant.ts'
import { createTicket, ticketNetworkLimit, tooManyTickets } from './create-ticket.ts'

export const supportHandlers: Handlers<typeof support> = {
  createTicket: { checkSender: refuseExhaustedNetwork(ticketNetworkLimit, tooManyTickets), handle: createTicket },
  askAssistant: { checkSender: refuseExhaustedNetwork(assistantNetworkLimit, tooManyQuestions), handle: askAssistant },
}
