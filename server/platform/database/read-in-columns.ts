import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

/** The columns of a query, each as one JSON array. */
export type Columns<Row> = { [Column in keyof Row]: Row[Column][] }

export const selectColumns = <Row extends object>(
  columns: readonly (keyof Row & string)[],
  query: RawBuilder<unknown>,
) => {
  const arrays = columns.map((column) => sql`coalesce(json_agg(${sql.ref(column)}), '[]') as ${sql.ref(column)}`)
  return sql<Columns<Row>>`select ${sql.join(arrays)} from (${query}) as each`
}

/** Row by row: objects that grow together, a column at a time, take several times as long to build. */
export const toRows = <Row extends object>(columns: readonly (keyof Row & string)[], found: Columns<Row>): Row[] => {
  const [first] = columns as [keyof Row & string]
  return found[first].map((_, index) => {
    const row = {} as Row
    for (const column of columns) row[column] = found[column][index] as Row[typeof column]
    return row
  })
}

/**
 * Reads columns of a query, each as one JSON array: the driver takes several times as long to decode every value of every
 * row. Dates arrive as text.
 */
export const readInColumns = async <Row extends object>(
  db: Db,
  columns: readonly (keyof Row & string)[],
  query: RawBuilder<unknown>,
): Promise<Row[]> => {
  const { rows } = await selectColumns<Row>(columns, query).execute(db)
  return toRows(columns, rows[0] as Columns<Row>)
}
