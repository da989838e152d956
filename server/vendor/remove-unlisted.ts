import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'

interface Account {
  tenantId: string
  credentialId: number
}

const IDS_PER_STATEMENT = 1_000

/** The ids of this account's stored items that the vendor's complete list does not contain. */
const findUnlisted = (stored: readonly { id: number; name: string }[], listed: ReadonlySet<string>) =>
  stored.filter(({ name }) => !listed.has(name)).map(({ id }) => id)

const markRemoved = async (
  db: Db,
  table: 'service_lines' | 'terminals' | 'routers',
  tenantId: string,
  ids: number[],
) => {
  for (let start = 0; start < ids.length; start += IDS_PER_STATEMENT)
    await sql`
      update ${sql.table(table)} set removed_at = now()
      where tenant_id = ${tenantId} and id = any(${ids.slice(start, start + IDS_PER_STATEMENT)}::bigint[])`.execute(db)
}

/** Marks lines that the vendor no longer lists. Returns the ids of those lines. */
export const removeUnlistedLines = async (db: Db, { tenantId, credentialId }: Account, listed: ReadonlySet<string>) => {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, service_line_number as name from service_lines
    where tenant_id = ${tenantId} and credential_id = ${credentialId} and removed_at is null`.execute(db)
  const ids = findUnlisted(rows, listed)
  await markRemoved(db, 'service_lines', tenantId, ids)
  return ids
}

/** Marks terminals that the vendor no longer lists. Returns the ids of their lines. */
export const removeUnlistedTerminals = async (
  db: Db,
  { tenantId, credentialId }: Account,
  listed: ReadonlySet<string>,
) => {
  const { rows } = await sql<{ id: number; name: string; service_line_id: number | null }>`
    select id, device_id as name, service_line_id from terminals
    where tenant_id = ${tenantId} and credential_id = ${credentialId} and removed_at is null`.execute(db)
  const ids = new Set(findUnlisted(rows, listed))
  await markRemoved(db, 'terminals', tenantId, [...ids])
  return rows.filter(({ id }) => ids.has(id)).flatMap(({ service_line_id }) => service_line_id ?? [])
}

export const removeUnlistedRouters = async (
  db: Db,
  { tenantId, credentialId }: Account,
  listed: ReadonlySet<string>,
): Promise<void> => {
  const { rows } = await sql<{ id: number; name: string }>`
    select router.id, router.router_id as name from routers as router
    join terminals as terminal on terminal.tenant_id = router.tenant_id and terminal.id = router.terminal_id
    where router.tenant_id = ${tenantId} and terminal.credential_id = ${credentialId} and router.removed_at is null`.execute(
    db,
  )
  await markRemoved(db, 'routers', tenantId, findUnlisted(rows, listed))
}
