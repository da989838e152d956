import { isIP } from 'node:net'
import { sql } from 'kysely'
import { notFound } from '#contract/errors.ts'
import type { Db } from '../platform/database/database.ts'

const HOST = /^(\[[\da-f:.]+\]|[^:]+)(?::\d+)?$/

/** The name in a Host header: lower case, without the port and the dot that ends a name written in full. */
const parseHost = (header: string) => HOST.exec(header.toLowerCase())?.[1]?.replace(/\.$/, '') ?? ''

/** On these the page itself names the tenant; a real host name always speaks for one tenant. */
const namesNoTenant = (host: string) => host === 'localhost' || isIP(host.replace(/^\[|\]$/g, '')) !== 0

/** Whom a request is addressed to: the name in its Host header, and the tenant that the page passed on. */
export interface TenantAddress {
  host: string
  named: string | undefined
}

export const parseTenantAddress = (hostHeader: string | undefined, named: string | undefined): TenantAddress => ({
  host: parseHost(hostHeader ?? ''),
  named,
})

/** What the directory knows of an address. */
export interface DirectoryEntry {
  tenant_of_host: string | null
  tenant_named: string | null
}

export const selectDirectoryEntry = ({ host, named }: TenantAddress) => sql<DirectoryEntry>`
  select (select tenant_id from tenant_hosts where host = ${host}) as tenant_of_host,
    (select id from tenants where id = ${named ?? null}) as tenant_named`

/** The tenant by its host name, or on localhost and bare addresses by what the page passed on. */
export const pickTenant = (entry: DirectoryEntry, { host, named }: TenantAddress): string | undefined => {
  if (entry.tenant_of_host !== null) return entry.tenant_of_host
  if (!namesNoTenant(host)) throw notFound('No portal is served under this address.')
  if (named !== undefined && entry.tenant_named === null) throw notFound('There is no portal of this name.')
  return entry.tenant_named ?? undefined
}

/** The tenant of a request. */
export const resolveTenant = async (db: Db, addressed: TenantAddress) => {
  const { rows } = await selectDirectoryEntry(addressed).execute(db)
  return pickTenant(rows[0] as DirectoryEntry, addressed)
}
