import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { migrate } from '../../platform/database/migrate.ts'
import { listSections, openBackup, type SectionReader } from '../backup-file.ts'
import { type Rows, readTables } from './rows.ts'

interface EmptyDatabase {
  owner: pg.PoolConfig
  superuser: pg.PoolConfig
  runtimeRole: string
}

type Cell = { table: string; column: string }

const SEPARATOR = '\t'

// Values that a later migration rewrites on purpose, by the column's current name.
const REWRITTEN: Record<string, (value: string) => string> = {
  'notification_settings.phone_number': (value) => value.replace(/^\d{10}$/, '+1$&'),
  'sms_stops.phone_number': (value) => value.replace(/^\d{10}$/, '+1$&'),
}

// Tables that a later migration empties on purpose: their rows expire within minutes.
const EMPTIED = new Set(['sign_in_codes'])

// Table and column by their catalog numbers, which a rename does not change.
const readNames = async (client: pg.Client) => {
  const { rows } = await client.query<Cell & { key: string }>(
    `select format('%s.%s', a.attrelid, a.attnum) as key, c.relname as table, a.attname as column
     from pg_attribute a
     join pg_class c on c.oid = a.attrelid and c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
     where a.attnum > 0 and not a.attisdropped`,
  )
  return new Map(rows.map(({ key, table, column }) => [key, { table, column }]))
}

/** The rows of a section as text: a table of the file's version converts binary rows. */
const readText = async (client: pg.Client, { table, columns, format, read }: SectionReader) => {
  if (format === 'text') return text(read())
  await client.query(`create temp table section_rows (like ${table})`)
  const list = columns.join(', ')
  await pipeline(read(), client.query(copyFrom(`copy section_rows (${list}) from stdin (format binary)`)))
  const rows = await text(client.query(copyTo(`copy section_rows (${list}) to stdout`)))
  await client.query('drop table section_rows')
  return rows
}

/** The rows of a backup, and the current name of each column of its version; dropped columns are not listed. */
const readSections = async (path: string, { owner, superuser, runtimeRole }: EmptyDatabase) => {
  const backup = await openBackup(path)
  const client = new pg.Client(superuser)
  await client.connect()
  try {
    await client.query("set timezone = 'UTC'")
    await migrate(owner, runtimeRole, backup.header.migrations)
    const before = await readNames(client)
    const sections: { table: string; columns: string[]; rows: string }[] = []
    for await (const section of listSections(backup))
      sections.push({ table: section.table, columns: section.columns, rows: await readText(client, section) })
    await migrate(owner, runtimeRole)
    const after = await readNames(client)
    const names = new Map([...before].map(([key, { table, column }]) => [`${table}.${column}`, after.get(key)]))
    return { names, sections }
  } finally {
    await client.end()
    await backup.close()
  }
}

/**
 * The rows that this version should have after restoring a released backup, and the rows that a database has. Migrating
 * an empty database shows which columns were renamed.
 */
export const readReleasedRows = async (path: string, restored: pg.PoolConfig, empty: EmptyDatabase) => {
  const { names, sections } = await readSections(path, empty)
  const expected: Rows = new Map()
  const columnsByTable = new Map<string, string[]>()
  for (const { table, columns, rows } of sections) {
    const present = columns.map((column) => names.get(`${table}.${column}`))
    const presentTable = present.find((cell) => cell !== undefined)?.table
    if (presentTable === undefined || EMPTIED.has(presentTable)) continue
    columnsByTable.set(
      presentTable,
      present.flatMap((cell) => cell?.column ?? []),
    )
    const rewrite = (line: string) =>
      line
        .split(SEPARATOR)
        .flatMap((value, index) => {
          const cell = present[index]
          return cell ? [REWRITTEN[`${cell.table}.${cell.column}`]?.(value) ?? value] : []
        })
        .join(SEPARATOR)
    const lines = rows.split('\n').filter(Boolean).map(rewrite)
    expected.set(presentTable, [...(expected.get(presentTable) ?? []), ...lines].sort())
  }
  return { expected, found: await readTables(restored, columnsByTable) }
}
