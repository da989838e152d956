import { isIP } from 'node:net'
import { sql } from 'kysely'
import { notFound } from '#contract/errors.ts'
import { createBatchedRead } from '../platform/database/batched-read.ts'
import type { Database } from '../platform/database/database.ts'
import { createLastKnown } from '../platform/database/last-known.ts'
import type { TenantAddress } from '../platform/http/tenant-address.ts'

/** On these hosts the page names the tenant. A real host name always belongs to one tenant. */
const namesNoTenant = (host: string) => host === 'localhost' || isIP(host.replace(/^\[|\]$/g, '')) !== 0

/** The tenants that a host and a name belong to. */
export interface DirectoryEntry {
  tenant_of_host: string | null
  tenant_named: string | null
}

/** Other names are not sent to the database, which could not even store all of them. */
const TENANT_ID = /^[a-z0-9][a-z0-9_-]*$/

export const selectDirectoryEntry = ({ host, named }: TenantAddress) => sql<DirectoryEntry>`
  select (select tenant_id from tenant_hosts where host = ${host}) as tenant_of_host,
    (select id from tenants where id = ${named !== undefined && TENANT_ID.test(named) ? named : null}) as tenant_named`

/** The tenant by its host name, or on localhost and IP addresses by the name that the page sent. */
export const pickTenant = (entry: DirectoryEntry, { host, named }: TenantAddress): string | undefined => {
  if (entry.tenant_of_host !== null) return entry.tenant_of_host
  if (!namesNoTenant(host)) throw notFound('No portal is served under this address.')
  if (named !== undefined && entry.tenant_named === null) throw notFound('There is no portal of this name.')
  return entry.tenant_named ?? undefined
}

/** Coalesces concurrent reads of the same tenant into one query. */
const readDirectory = createBatchedRead<TenantAddress, string | undefined>(async (database, _key, addresses) => {
  const address = addresses[0] as TenantAddress
  const { rows } = await selectDirectoryEntry(address).execute(database.outsideTenants)
  const tenantId = pickTenant(rows[0] as DirectoryEntry, address)
  return addresses.map(() => tenantId)
})

const readLastKnown = createLastKnown<string | undefined>()

export const resolveTenant = (database: Database, address: TenantAddress) => {
  const key = JSON.stringify([address.host, address.named])
  return readLastKnown(database, key, () => readDirectory(database, key, address))
}
