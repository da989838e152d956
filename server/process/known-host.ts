import { BlockList, isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { notFound } from '#contract/errors.ts'
import type { Services } from '../platform/context.ts'
import { unknownRoute } from '../platform/http/http-errors.ts'
import { parseTenantAddress } from '../platform/http/tenant-address.ts'
import { resolveTenant } from '../tenants/resolve.ts'

/** Anything else is not sent to the database, which could not even store all of it. */
const HOST_NAME = /^[a-z0-9.-]{1,254}$/i

const addAddress = (list: BlockList, entry: string) => {
  const [address = '', bits] = entry.split('/')
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  if (isIP(address) === 0) return
  if (bits === undefined) list.addAddress(address, family)
  else list.addSubnet(address, Number(bits), family)
}

/** This machine and the trusted proxies. */
const listProxies = (trusted: readonly string[]) => {
  const list = new BlockList()
  for (const entry of ['127.0.0.0/8', '::1', ...trusted]) addAddress(list, entry)
  return list
}

/** A visitor's request, which a proxy passes on, has one of these. */
const isForwarded = ({ headers }: FastifyRequest) =>
  headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined

/**
 * Whether a host is a tenant's, for a proxy that gets certificates on demand: 200 or 404. Without this question, anybody
 * could make it request certificates for any name. To visitors the path does not exist.
 */
export const registerKnownHost = (app: FastifyInstance, { config, database }: Services) => {
  const proxies = listProxies(config.trustedProxies)
  const isFromProxy = (request: FastifyRequest) => {
    const { remoteAddress = '' } = request.socket
    return !isForwarded(request) && proxies.check(remoteAddress, isIP(remoteAddress) === 6 ? 'ipv6' : 'ipv4')
  }
  app.get('/known-host', async (request, reply) => {
    if (!isFromProxy(request)) return reply.status(404).send(unknownRoute.body)
    const { domain } = request.query as { domain?: unknown }
    const isName = typeof domain === 'string' && HOST_NAME.test(domain)
    if (!isName || (await resolveTenant(database, parseTenantAddress(domain, undefined))) === undefined)
      throw notFound('No portal is served under this address.')
    return { status: 'known' }
  })
}
