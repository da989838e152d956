import { useSearch } from '@tanstack/react-router'
import * as z from 'zod/mini'

/** In the URL of every page: the displayed time in the past, as ISO 8601 with a zone. */
export const PastSearch = z.object({ at: z.catch(z.optional(z.iso.datetime({ offset: true })), undefined) })

/** The displayed time; undefined for the present. */
export const useAt = (): string | undefined => useSearch({ strict: false }).at

const MINUTE_MS = 60_000
/** The size of the first step into the past. */
export const BACK_MS = 60 * MINUTE_MS

/** Rounded to minutes, so that users who look at the same time share responses. */
export const toAt = (ms: number) => new Date(Math.floor(ms / MINUTE_MS) * MINUTE_MS).toISOString()
