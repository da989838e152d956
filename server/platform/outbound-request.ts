import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { createResolver, type ResolvedAddress } from './resolve-name.ts'

/*
 * Requests to URLs that users of the portal choose (SSRF protection). They must not reach what only this machine or its
 * network can: the address is checked after DNS resolution, and the checked address is the one connected to, so DNS
 * rebinding gains nothing. Redirects are not followed.
 */

/** Everything that is not a public internet address (the special-purpose address registries, RFC 6890). */
const SPECIAL_IPV4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.168.0.0/16', '192.175.48.0/24'],
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
]
/** Within 2000::/3, the only public range: addresses that embed IPv4, and those reserved for documentation. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const toBlockList = (networks: readonly string[]) => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    list.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family)
  }
  return list
}

const special = toBlockList([...SPECIAL_IPV4, ...SPECIAL_IPV6])
const globalUnicast = toBlockList(['2000::/3'])

/** Whether an address is public. IPv4 written as IPv6 is not. */
export const isPublicAddress = (address: string) => {
  const family = isIP(address)
  if (family === 4) return !special.check(address, 'ipv4')
  return family === 6 && globalUnicast.check(address, 'ipv6') && !special.check(address, 'ipv6')
}

const PORTS: ReadonlySet<number> = new Set([443, 8443])

/** The URL may not be called. The message is for the user who entered it. */
export class AddressRefused extends Error {}

export type Resolve = (hostname: string) => Promise<ResolvedAddress[]>

export interface OutboundRequest {
  method: string
  headers: Record<string, string>
  body?: string | undefined
  signal?: AbortSignal | undefined
}

interface OutboundOptions {
  /** Networks that may be called although they are not public, also over HTTP and on other ports. */
  allowedNetworks: readonly string[]
  timeoutMs: number
  maxResponseBytes: number
  resolve?: Resolve
}

export interface OutboundResponse {
  status: number
  headers: IncomingMessage['headers']
  /** Truncated to the size limit. */
  body: string
}

const readBody = async (response: IncomingMessage, maxBytes: number) => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, maxBytes - size))
    size += chunk.length
    if (size >= maxBytes) break
  }
  return Buffer.concat(chunks).toString('utf8')
}

const parsePort = ({ port, protocol }: URL) => Number(port) || (protocol === 'https:' ? 443 : 80)

/** A URL encloses an IPv6 address in brackets. */
const parseHost = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, '$1')

/** What is wrong with a URL before its name is resolved; undefined if nothing is. */
export const findAddressFault = (text: string, allowsOthers: boolean): string | undefined => {
  if (!URL.canParse(text)) return 'This is not an address.'
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return 'An address may not contain a user name or password.'
  if (!/^https?:$/.test(url.protocol)) return 'The address must begin with https://.'
  if (allowsOthers) return undefined
  if (url.protocol !== 'https:') return 'The address must begin with https://.'
  if (!PORTS.has(parsePort(url))) return `The port must be ${[...PORTS].join(' or ')}.`
  const host = parseHost(url)
  return isIP(host) !== 0 && !isPublicAddress(host) ? 'The address must be on the public internet.' : undefined
}

export const createOutboundClient = (options: OutboundOptions) => {
  const { allowedNetworks, timeoutMs, maxResponseBytes } = options
  const resolve = options.resolve ?? createResolver({ allowsShortNames: allowedNetworks.length > 0 })
  const allowed = toBlockList(allowedNetworks)
  const isAllowed = (address: string) => allowed.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

  const refuse = (url: URL, addresses: readonly string[]): string | undefined => {
    if (addresses.length === 0) return 'The name has no address.'
    if (addresses.every(isAllowed)) return undefined
    if (!addresses.every((address) => isPublicAddress(address) || isAllowed(address)))
      return 'The address is not on the public internet.'
    return findAddressFault(url.href, false)
  }

  /** Called when a connection is opened; the address it returns is the one connected to. */
  const lookUp =
    (url: URL): LookupFunction =>
    (hostname, { all }, callback) => {
      resolve(hostname).then(
        (found) => {
          const fault = refuse(
            url,
            found.map(({ address }) => address),
          )
          const [first] = found
          if (fault !== undefined || !first) callback(new AddressRefused(fault), '', 0)
          else if (all) callback(null, found)
          else callback(null, first.address, first.family)
        },
        (error: NodeJS.ErrnoException) => callback(error, '', 0),
      )
    }

  const request = async (
    address: string,
    { method, headers, body, signal }: OutboundRequest,
  ): Promise<OutboundResponse> => {
    const early = findAddressFault(address, allowedNetworks.length > 0)
    if (early !== undefined) throw new AddressRefused(early)
    const url = new URL(address)
    const host = parseHost(url)
    // No lookup happens for a literal address.
    const fault = isIP(host) === 0 ? undefined : refuse(url, [host])
    if (fault !== undefined) throw new AddressRefused(fault)
    const limit = AbortSignal.timeout(timeoutMs)
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    return new Promise((done, fail) => {
      const sent = send(url, {
        method,
        // A new connection, so that each request is checked.
        agent: false,
        headers: { ...headers, ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }) },
        lookup: lookUp(url),
        signal: signal ? AbortSignal.any([limit, signal]) : limit,
      })
      const failWith = (error: Error) =>
        fail(limit.aborted ? new Error(`There was no response within ${timeoutMs / 1000} seconds.`) : error)
      sent.on('error', failWith)
      sent.on('response', (response) => {
        readBody(response, maxResponseBytes).then(
          (text) => done({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
          failWith,
        )
      })
      sent.end(body)
    })
  }

  return {
    request,
    post: (address: string, headers: Record<string, string>, body: string) =>
      request(address, { method: 'POST', headers, body }),
  }
}

export type OutboundClient = ReturnType<typeof createOutboundClient>
