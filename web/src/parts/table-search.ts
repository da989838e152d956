import * as z from 'zod/mini'
import type { Sort } from '../ui/table-rows.ts'

const text = z.catch(z.optional(z.string()), undefined)

/** The state of a table in the URL: its search text and its sort column. */
export const TableSearch = z.object({
  q: text,
  sort: text,
  desc: z.catch(z.optional(z.boolean()), undefined),
})
type TableSearch = z.output<typeof TableSearch>

export const parseSort = ({ sort, desc }: TableSearch): Sort | undefined =>
  sort === undefined ? undefined : { key: sort, descending: desc === true }

export const toSortSearch = ({ key, descending }: Sort) => ({ sort: key, desc: descending || undefined })
