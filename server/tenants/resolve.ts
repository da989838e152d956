import { isIP } from 'node:net'
import { notFound } from '#contract/errors.ts'
import type { Db } from '../db.ts'

const HOST = /^(\[[\da-f:.]+\]|[^:]+)(?::\d+)?$/

/** The name in a Host header: lower case, without the port and the dot that ends a name written in full. */
const hostOf = (header: string) => HOST.exec(header.toLowerCase())?.[1]?.replace(/\.$/, '') ?? ''

/** On these the page itself names the tenant; a real host name always speaks for one tenant. */
const namesNoTenant = (host: string) => host === 'localhost' || isIP(host.replace(/^\[|\]$/g, '')) !== 0

/** The tenant of a request: by its host name, or on localhost and bare addresses by what the page passed on. */
export const resolveTenant = async (db: Db, hostHeader: string, named: string | undefined) => {
  const host = hostOf(hostHeader)
  const known = await db.selectFrom('tenant_hosts').select('tenant_id').where('host', '=', host).executeTakeFirst()
  if (known) return known.tenant_id
  if (!namesNoTenant(host)) throw notFound('No portal is served under this address.')
  if (named === undefined) return undefined
  const tenant = await db.selectFrom('tenants').select('id').where('id', '=', named).executeTakeFirst()
  if (!tenant) throw notFound('There is no portal of this name.')
  return tenant.id
}
