import { useSearch } from '@tanstack/react-router'
import * as z from 'zod/mini'

/** In the URL of every page: the time that is shown instead of the present, as ISO 8601 with a zone. */
export const PastSearch = z.object({ at: z.catch(z.optional(z.iso.datetime({ offset: true })), undefined) })

/** The time that is shown; undefined while it is the present. */
export const useAt = (): string | undefined => useSearch({ strict: false }).at

const MINUTE_MS = 60_000
/** How far the first step into the past goes. */
export const BACK_MS = 60 * MINUTE_MS

/** Whole minutes, so that those who look at the same time ask for the same. */
export const toAt = (ms: number) => new Date(Math.floor(ms / MINUTE_MS) * MINUTE_MS).toISOString()
