import * as z from 'zod/mini'
import { Done } from './answer.ts'
import { Email } from './credentials.ts'
import { route } from './route.ts'
import { requiredLine, requiredText } from './text.ts'

export const Ticket = z.strictObject({ name: requiredLine(200), email: Email, message: requiredText(10_000) })
export type Ticket = z.output<typeof Ticket>

export const support = {
  createTicket: route({
    method: 'POST',
    path: '/ticket/',
    access: 'public',
    summary: 'Ask support for help',
    input: Ticket,
    output: Done,
  }),
}
