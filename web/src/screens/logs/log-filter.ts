import * as z from 'zod/mini'

const text = z.catch(z.optional(z.string()), undefined)

/** The filter in the URL. Times are local, such as 2026-11-15T08:30. */
export const LogFilter = z.object({ person: text, action: text, from: text, until: text })
export type LogFilter = z.output<typeof LogFilter>
