import { buffer } from 'node:stream/consumers'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { listTables } from '../catalogue.ts'

/** The rows of each table, sorted, in PostgreSQL's COPY text format. */
export type Rows = Map<string, string[]>

const sortLines = (text: string) => text.split('\n').filter(Boolean).sort()

/** The rows of a database, or only the listed columns. A superuser bypasses row-level security. */
export const readTables = async (superuser: pg.PoolConfig, columnsByTable?: Map<string, string[]>): Promise<Rows> => {
  const client = new pg.Client(superuser)
  await client.connect()
  try {
    await client.query("set timezone = 'UTC'")
    const rows: Rows = new Map()
    for (const { name, columns } of await listTables(client)) {
      const wanted = columnsByTable ? columnsByTable.get(name) : columns
      if (!wanted) continue
      const list = wanted.map((column) => pg.escapeIdentifier(column)).join(', ')
      const stream = client.query(copyTo(`copy (select ${list} from ${pg.escapeIdentifier(name)}) to stdout`))
      rows.set(name, sortLines((await buffer(stream)).toString('utf8')))
    }
    return rows
  } finally {
    await client.end()
  }
}

/** Counts the missing and the unexpected rows. A changed row counts as both. */
export const compareRows = (expected: Rows, found: Rows) => {
  let missing = 0
  let added = 0
  for (const [table, lines] of expected) {
    const left = new Map<string, number>()
    for (const line of found.get(table) ?? []) left.set(line, (left.get(line) ?? 0) + 1)
    for (const line of lines) {
      const count = left.get(line) ?? 0
      if (count === 0) missing++
      else left.set(line, count - 1)
    }
    for (const count of left.values()) added += count
  }
  return { missing, added }
}
