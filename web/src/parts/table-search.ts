import * as z from 'zod/mini'
import type { Sort } from '../ui/table-rows.ts'

const text = z.catch(z.optional(z.string()), undefined)

/** What a table keeps in the address: the search, and by which column it is sorted. */
export const TableSearch = z.object({
  q: text,
  sort: text,
  desc: z.catch(z.optional(z.boolean()), undefined),
})
type TableSearch = z.output<typeof TableSearch>

export const parseSort = ({ sort, desc }: TableSearch): Sort | undefined =>
  sort === undefined ? undefined : { key: sort, descending: desc === true }

export const toSortSearch = ({ key, descending }: Sort) => ({ sort: key, desc: descending || undefined })
