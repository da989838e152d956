import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { createAllowList, findAddressFault, isPublicAddress, parseHost } from './outbound-address.ts'
import { createResolver, type ResolvedAddress } from './resolve-name.ts'

/*
 * Requests to URLs that users of the portal choose (SSRF protection). They must not reach what only this machine or its
 * network can: the address is checked after DNS resolution, and the checked address is the one connected to, so DNS
 * rebinding gains nothing. Redirects are not followed.
 */

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

export const createOutboundClient = (options: OutboundOptions) => {
  const { allowedNetworks, timeoutMs, maxResponseBytes } = options
  const resolve = options.resolve ?? createResolver({ allowsShortNames: allowedNetworks.length > 0 })
  const isAllowed = createAllowList(allowedNetworks)

  const refuse = (url: URL, addresses: readonly string[]): string | undefined => {
    if (addresses.length === 0) return 'The name has no address.'
    if (addresses.every(isAllowed)) return undefined
    if (!addresses.every((address) => isPublicAddress(address) || isAllowed(address)))
      return 'The address is not on the public internet.'
    return findAddressFault(url.href, [])
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
    const early = findAddressFault(address, allowedNetworks)
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
