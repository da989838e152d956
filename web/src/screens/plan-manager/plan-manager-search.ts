import * as z from 'zod/mini'
import { TableSearch } from '../../parts/table-search.ts'

export const newPool = 'new'

/** The table's search and sort, and which pool is open: its id, or 'new'. */
export const PlanManagerSearch = z.extend(TableSearch, {
  pool: z.catch(z.optional(z.pipe(z.union([z.string(), z.number()]), z.transform(String))), undefined),
})
export type PlanManagerSearch = z.output<typeof PlanManagerSearch>
