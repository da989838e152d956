import * as z from 'zod/mini'

const text = z.catch(z.optional(z.string()), undefined)

/** What the address keeps: the times as the page's clock shows them, 2026-11-15T08:30. */
export const LogFilter = z.object({ person: text, action: text, from: text, until: text })
export type LogFilter = z.output<typeof LogFilter>
