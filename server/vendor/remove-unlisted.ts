import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'

interface Account {
  tenantId: string
  credentialId: number
}

/** What is stored of an account and not contained in the vendor's complete list. */
export interface Unlisted {
  table: 'service_lines' | 'terminals' | 'routers'
  ids: number[]
  /** The lines that change if these are removed. */
  lineIds: number[]
  /** How many the account has stored, including these. */
  stored: number
}

interface Stored {
  id: number
  name: string
  line_id: number | null
}

const IDS_PER_STATEMENT = 1_000

const compareLists = (table: Unlisted['table'], rows: readonly Stored[], listed: ReadonlySet<string>): Unlisted => {
  const unlisted = rows.filter(({ name }) => !listed.has(name))
  return {
    table,
    ids: unlisted.map(({ id }) => id),
    lineIds: unlisted.flatMap(({ line_id }) => line_id ?? []),
    stored: rows.length,
  }
}

export const findUnlistedLines = async (db: Db, { tenantId, credentialId }: Account, listed: ReadonlySet<string>) => {
  const { rows } = await sql<Stored>`
    select id, service_line_number as name, id as line_id from service_lines
    where tenant_id = ${tenantId} and credential_id = ${credentialId} and removed_at is null`.execute(db)
  return compareLists('service_lines', rows, listed)
}

export const findUnlistedTerminals = async (
  db: Db,
  { tenantId, credentialId }: Account,
  listed: ReadonlySet<string>,
) => {
  const { rows } = await sql<Stored>`
    select id, device_id as name, service_line_id as line_id from terminals
    where tenant_id = ${tenantId} and credential_id = ${credentialId} and removed_at is null`.execute(db)
  return compareLists('terminals', rows, listed)
}

export const findUnlistedRouters = async (db: Db, { tenantId, credentialId }: Account, listed: ReadonlySet<string>) => {
  const { rows } = await sql<Stored>`
    select router.id, router.router_id as name, null as line_id from routers as router
    join terminals as terminal on terminal.tenant_id = router.tenant_id and terminal.id = router.terminal_id
    where router.tenant_id = ${tenantId} and terminal.credential_id = ${credentialId} and router.removed_at is null`.execute(
    db,
  )
  return compareLists('routers', rows, listed)
}

export const markRemoved = async (db: Db, tenantId: string, { table, ids }: Unlisted) => {
  for (let start = 0; start < ids.length; start += IDS_PER_STATEMENT)
    await sql`
      update ${sql.table(table)} set removed_at = now()
      where tenant_id = ${tenantId} and id = any(${ids.slice(start, start + IDS_PER_STATEMENT)}::bigint[])`.execute(db)
}
