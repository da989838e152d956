import { sql } from 'kysely'

/** As one text: the driver would escape each element of an array. */
export const toIdArray = (ids: readonly number[]) => sql`${`{${ids.join()}}`}::bigint[]`
