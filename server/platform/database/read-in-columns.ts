import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

/**
 * Reads columns of a query, each as one JSON array: the driver takes several times as long to decode every value of every
 * row. Dates arrive as text.
 */
export const readInColumns = async <Row extends { id: number }>(
  db: Db,
  columns: readonly (keyof Row & string)[],
  query: RawBuilder<unknown>,
): Promise<Row[]> => {
  const arrays = columns.map((column) => sql`coalesce(json_agg(${sql.ref(column)}), '[]') as ${sql.ref(column)}`)
  const { rows } = await sql<{ [Column in keyof Row]: Row[Column][] }>`
    select ${sql.join(arrays)} from (${query}) as each`.execute(db)
  const [found] = rows as [(typeof rows)[number]]
  const list = found.id.map(() => ({}) as Row)
  for (const column of columns) {
    const values = found[column]
    for (const [index, row] of list.entries()) row[column] = values[index] as Row[typeof column]
  }
  return list
}
