import { buffer } from 'node:stream/consumers'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { listTables } from '../catalogue.ts'
import { readFrames } from '../file-format.ts'

/** Every row of every table, in an order that does not depend on how it was written. */
export type Rows = Map<string, string[]>

const linesOf = (text: string) => text.split('\n').filter(Boolean).sort()

/** What a database holds of some columns, as a superuser sees it. */
export const readTables = async (superuser: pg.PoolConfig, columnsOf?: Map<string, string[]>): Promise<Rows> => {
  const client = new pg.Client(superuser)
  await client.connect()
  try {
    await client.query("set timezone = 'UTC'")
    const rows: Rows = new Map()
    for (const { name, columns } of await listTables(client)) {
      const wanted = columnsOf ? columnsOf.get(name)?.filter((column) => columns.includes(column)) : columns
      if (!wanted) continue
      const list = wanted.map((column) => pg.escapeIdentifier(column)).join(', ')
      const stream = client.query(copyTo(`copy (select ${list} from ${pg.escapeIdentifier(name)}) to stdout`))
      rows.set(name, linesOf((await buffer(stream)).toString('utf8')))
    }
    return rows
  } finally {
    await client.end()
  }
}

/** What a backup holds, and of which columns. */
export const readFile = async (path: string) => {
  const rows: Rows = new Map()
  const columnsOf = new Map<string, string[]>()
  let table = ''
  let chunks: Buffer[] = []
  for await (const frame of readFrames(path)) {
    if (frame.kind === 'data') chunks.push(frame.bytes)
    if (frame.kind === 'section') {
      table = frame.section.table
      columnsOf.set(table, frame.section.columns)
      chunks = []
    }
    if (frame.kind === 'section end') rows.set(table, linesOf(Buffer.concat(chunks).toString('utf8')))
  }
  return { rows, columnsOf }
}

/** How many rows of one are missing in the other, and how many there are more; a changed row counts in both. */
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
