import { lookup } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { CustomFetch } from 'openid-client'
import { isPublicAddress } from '../platform/outbound-request.ts'

/** Of a document of the provider. */
const MAX_BYTES = 1024 * 1024

export class PrivateAddressError extends Error {
  constructor() {
    super('The address of the provider is in a private network.')
  }
}

const requirePublic = (address: string) => {
  if (!isPublicAddress(address)) throw new PrivateAddressError()
}

/** Checks the addresses that are connected to, so that a name cannot resolve to another one after a check. */
const lookupPublic: LookupFunction = (hostname, options, callback) =>
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '')
    try {
      for (const { address } of addresses) requirePublic(address)
    } catch (refusal) {
      return callback(refusal as Error, '')
    }
    const [first] = addresses
    if (options.all) callback(null, addresses)
    else callback(null, first?.address ?? '', first?.family)
  })

const toBody = (body: unknown) => (body instanceof URLSearchParams ? body.toString() : (body as string | undefined))

/** Requests to a provider: never to an address of a private network unless those are allowed, and bounded. */
export const createProviderFetch =
  ({ isPrivateAllowed }: { isPrivateAllowed: boolean }): CustomFetch =>
  async (address, { method, headers, body, signal }) => {
    const url = new URL(address)
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (!isPrivateAllowed && isIP(host) !== 0) requirePublic(host)
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    const sent = send(
      url,
      {
        method,
        headers: Object.fromEntries(new Headers(headers as Record<string, string>)),
        // A connection of its own: a pooled one may lead to an address that was allowed to somebody else.
        agent: false,
        ...(signal && { signal }),
        ...(!isPrivateAllowed && { lookup: lookupPublic }),
      },
      (response) => {
        const parts: Buffer[] = []
        let bytes = 0
        response.on('data', (part: Buffer) => {
          bytes += part.length
          if (bytes > MAX_BYTES) response.destroy(new Error('The response of the provider is too long.'))
          parts.push(part)
        })
        response.on('error', reject)
        response.on('end', () => {
          const status = response.statusCode ?? 502
          const received = new Headers()
          for (const [name, value] of Object.entries(response.headers))
            if (value !== undefined) received.set(name, [value].flat().join(', '))
          resolve(
            new Response([204, 304].includes(status) ? null : Buffer.concat(parts), { status, headers: received }),
          )
        })
      },
    )
    sent.on('error', reject)
    sent.end(toBody(body))
    return promise
  }
