import * as z from 'zod/mini'
import { securityEventKindCodes } from '#contract/security-event-kinds.ts'

const text = z.catch(z.optional(z.string()), undefined)

/** The filter in the URL. Times are local, such as 2026-11-15T08:30. */
export const SecurityFilter = z.object({
  person: text,
  kind: z.catch(z.optional(z.enum(securityEventKindCodes)), undefined),
  from: text,
  until: text,
})
export type SecurityFilter = z.output<typeof SecurityFilter>
