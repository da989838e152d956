import * as z from 'zod/mini'

export const NoInput = z.strictObject({})

/** What a call answers that has nothing to tell but that it was done. */
export const Done = z.object({ message: z.string() })
export type Done = z.output<typeof Done>
