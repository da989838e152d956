import { createOutboundClient } from '../platform/outbound-request.ts'

const TIMEOUT_MS = 8_000
/** For a document of the provider. A longer one is truncated, and therefore invalid. */
const MAX_BYTES = 1024 * 1024

/** The library passes null if there is none. */
const toBody = (body: unknown) =>
  body instanceof URLSearchParams ? body.toString() : typeof body === 'string' ? body : undefined

interface FetchOptions {
  method: string
  headers: Headers | Record<string, string>
  body?: unknown
  signal?: AbortSignal | undefined
}

/** Makes requests to a provider, whose address a tenant has entered. */
export const createProviderFetch = (allowedNetworks: readonly string[]) => {
  const client = createOutboundClient({ allowedNetworks, timeoutMs: TIMEOUT_MS, maxResponseBytes: MAX_BYTES })
  return async (address: string, options: FetchOptions): Promise<Response> => {
    const { status, headers, body } = await client.request(address, {
      method: options.method,
      headers: Object.fromEntries(new Headers(options.headers)),
      body: toBody(options.body),
      signal: options.signal,
    })
    const received = new Headers()
    for (const [name, value] of Object.entries(headers))
      if (value !== undefined) received.set(name, [value].flat().join(', '))
    return new Response([204, 304].includes(status) ? null : body, { status, headers: received })
  }
}
