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

const toTenantId = ({ named }: TenantAddress) => (named !== undefined && TENANT_ID.test(named) ? named : null)

export const selectDirectoryEntry = (address: TenantAddress) => sql<DirectoryEntry>`
  select (select tenant_id from tenant_hosts where host = ${address.host}) as tenant_of_host,
    (select id from tenants where id = ${toTenantId(address)}) as tenant_named`

/** The tenant by its host name, or on localhost and IP addresses by the name that the page sent. */
export const pickTenant = (entry: DirectoryEntry, { host, named }: TenantAddress): string | undefined => {
  if (entry.tenant_of_host !== null) return entry.tenant_of_host
  if (!namesNoTenant(host)) throw notFound('No portal is served under this address.')
  if (named !== undefined && entry.tenant_named === null) throw notFound('There is no portal of this name.')
  return entry.tenant_named ?? undefined
}

/** Coalesces concurrent reads into one query: visitors may name any number of hosts at any rate. */
const readDirectory = createBatchedRead<TenantAddress, DirectoryEntry>(async (database, _key, addresses) => {
  const { rows } = await sql<DirectoryEntry>`
    select host.tenant_id as tenant_of_host, tenant.id as tenant_named
    from unnest(${addresses.map(({ host }) => host)}::text[], ${addresses.map(toTenantId)}::text[])
      with ordinality as given (host, named, place)
    left join tenant_hosts as host on host.host = given.host
    left join tenants as tenant on tenant.id = given.named
    order by given.place`.execute(database.outsideTenants)
  return rows
})

const readLastKnown = createLastKnown<string | undefined>()

export const resolveTenant = (database: Database, address: TenantAddress) => {
  // Under a real host name this means nothing, and visitors could evict what is known by inventing names.
  const key = JSON.stringify([address.host, namesNoTenant(address.host) ? address.named : undefined])
  return readLastKnown(database, key, async () => pickTenant(await readDirectory(database, '', address), address))
}
