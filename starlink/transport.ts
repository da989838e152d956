import { StarlinkError } from './errors.ts'

export type Sent = { status: number; body: string }

type Outgoing = {
  url: string
  /** How errors name this call, for example `GET /account`. */
  call: string
  method: 'GET' | 'POST' | 'PUT'
  headers: Record<string, string>
  body?: string
  timeoutMs: number
  maxBytes?: number
  signal?: AbortSignal
  onResponse?: OnResponse
}

/** Called when a 200 response starts. The function it returns receives each chunk of the body as it arrives. */
export type OnResponse = () => (chunk: Uint8Array) => void

const MAX_BODY_BYTES = 128 * 1024 * 1024
const NOT_SENT_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Sends one request and returns a response of any status. Throws only if there is no complete response. */
export const send = async (outgoing: Outgoing): Promise<Sent> => {
  const { url, call, method, headers, body, timeoutMs, maxBytes = MAX_BODY_BYTES, signal, onResponse } = outgoing
  const deadline = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      method,
      headers,
      body,
      // A redirect would send the token to an address that was not configured.
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    })
    const onChunk = response.status === 200 ? onResponse?.() : undefined
    return { status: response.status, body: await readBounded(response, call, maxBytes, onChunk) }
  } catch (cause) {
    signal?.throwIfAborted()
    if (cause instanceof StarlinkError) throw cause
    if (deadline.aborted) {
      throw new StarlinkError(`got no response within ${timeoutMs} ms`, {
        failure: 'unreachable',
        fate: 'unknown',
        call,
      })
    }
    const code = findErrorCode(cause)
    throw new StarlinkError(`did not reach the vendor (${code})`, {
      failure: 'unreachable',
      fate: NOT_SENT_CODES.has(code) ? 'refused' : 'unknown',
      call,
    })
  }
}

const readBounded = async (
  response: Response,
  call: string,
  maxBytes: number,
  onChunk: ReturnType<OnResponse> = () => {},
) => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) {
      throw new StarlinkError(`returned more than ${maxBytes} bytes`, {
        failure: 'malformed',
        fate: 'unknown',
        status: response.status,
        call,
      })
    }
    onChunk(chunk)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const findErrorCode = (error: unknown): string => {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown }
  if (typeof code === 'string') return code
  return cause === undefined ? 'connection failed' : findErrorCode(cause)
}
