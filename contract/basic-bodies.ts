import * as z from 'zod/mini'

export const NoInput = z.strictObject({})

/** The output of a call that returns only that it succeeded. */
export const Done = z.object({ message: z.string() })
export type Done = z.output<typeof Done>
