import * as z from 'zod/mini'
import { accountGroups } from '#contract/account-groups.ts'

const text = z.catch(z.optional(z.string()), undefined)
const names = z.catch(z.optional(z.array(z.string())), undefined)
const page = z.catch(z.optional(z.int().check(z.minimum(1))), undefined)

/** The whole state of the page is in its URL. */
export const ExecutiveSearch = z.object({
  group: z.catch(z.optional(z.enum(accountGroups)), undefined),
  q: text,
  org: names,
  customer: names,
  /** Z→A instead of A→Z. */
  desc: z.catch(z.optional(z.boolean()), undefined),
  /** The page numbers of the table and of the cards. */
  page,
  cards: page,
  /** The month whose figures are shown, as 2026-01; the current one by default. */
  month: z.catch(z.optional(z.string().check(z.regex(/^20\d\d-(0[1-9]|1[0-2])$/))), undefined),
  /** The plan whose details are open. */
  plan: text,
})
export type ExecutiveSearch = z.output<typeof ExecutiveSearch>

/** A change of search, filter or order returns to the first page. */
export const fromFirstPage = (change: Partial<ExecutiveSearch>): Partial<ExecutiveSearch> => ({
  ...change,
  page: undefined,
  cards: undefined,
  plan: undefined,
})

export const noFilter: Partial<ExecutiveSearch> = { q: undefined, org: undefined, customer: undefined }

export const orNothing = (chosen: readonly string[]) => (chosen.length > 0 ? [...chosen] : undefined)
