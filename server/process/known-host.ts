import { BlockList, isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { notFound } from '#contract/errors.ts'
import type { Services } from '../platform/context.ts'
import { unknownRoute } from '../platform/http/http-errors.ts'
import { parseTenantAddress } from '../platform/http/tenant-address.ts'
import { resolveTenant } from '../tenants/resolve.ts'

/** Other values are not sent to the database, which could not even store some of them. */
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

/** A proxied request of a visitor has one of these. */
const isForwarded = ({ headers }: FastifyRequest) =>
  headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined

/**
 * Reports whether a host belongs to a tenant (200 or 404), for a proxy that issues certificates on demand. Without this
 * check, anyone could make the proxy request certificates for any name. For visitors the path does not exist.
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
