import { Agent, type IncomingMessage, request } from 'node:http'
import { TENANT } from './stack.ts'

export interface ApiRequest {
  method?: 'GET' | 'POST' | 'PATCH'
  path: string
  body?: object
  etag?: string
}

export interface ApiResponse {
  status: number
  etag: string | undefined
  retryAfter: string | undefined
  text: string
  /** Until the last byte. */
  tookMs: number
}

/** Longer than any response may take; a request that takes longer counts as unanswered. */
const RESPONSE_TIMEOUT_MS = 20_000
const CONNECTIONS = 6

/** One user's browser: a few keep-alive connections and a separate address. */
export const createBrowser = (url: string, address: string) => {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  let token = ''

  const headersFor = ({ body, etag }: ApiRequest) => ({
    'x-tenant': TENANT,
    'x-forwarded-for': address,
    'accept-encoding': 'gzip, deflate, br, zstd',
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body && { 'content-type': 'application/json' }),
    ...(etag && { 'if-none-match': etag }),
  })

  const open = (call: ApiRequest, signal?: AbortSignal) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const { method = call.body ? 'POST' : 'GET', path, body } = call
      const sending = request(`${url}/api${path}`, { method, agent, headers: headersFor(call), signal }, resolve)
      sending.on('error', reject)
      sending.end(body && JSON.stringify(body))
    })

  return {
    signInAs: (access: string) => {
      token = access
    },
    open,
    send: async (call: ApiRequest): Promise<ApiResponse> => {
      const begin = performance.now()
      const response = await open(call, AbortSignal.timeout(RESPONSE_TIMEOUT_MS))
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk as Buffer)
      const { statusCode = 0, headers } = response
      const isPacked = headers['content-encoding'] !== undefined
      return {
        status: statusCode,
        etag: headers.etag,
        retryAfter: headers['retry-after'],
        text: isPacked ? '' : Buffer.concat(chunks).toString('utf8'),
        tookMs: performance.now() - begin,
      }
    },
    close: () => agent.destroy(),
  }
}

export type Browser = ReturnType<typeof createBrowser>
