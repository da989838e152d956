import { Agent, type IncomingMessage, request } from 'node:http'
import { TENANT } from './stack.ts'

export interface Asked {
  method?: 'GET' | 'POST' | 'PATCH'
  path: string
  body?: object
  etag?: string
}

export interface Answer {
  status: number
  etag: string | undefined
  retryAfter: string | undefined
  text: string
  /** Until the last byte. */
  tookMs: number
}

/** Longer than any response may take; a request that takes longer counts as unanswered. */
const ANSWER_WITHIN_MS = 20_000
const CONNECTIONS = 6

/** One user's browser: a few keep-alive connections and a separate address. */
export const createBrowser = (url: string, address: string) => {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  let token = ''

  const headersFor = ({ body, etag }: Asked) => ({
    'x-tenant': TENANT,
    'x-forwarded-for': address,
    'accept-encoding': 'gzip, deflate, br, zstd',
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body && { 'content-type': 'application/json' }),
    ...(etag && { 'if-none-match': etag }),
  })

  const open = (asked: Asked, signal?: AbortSignal) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const { method = asked.body ? 'POST' : 'GET', path, body } = asked
      const sending = request(`${url}/api${path}`, { method, agent, headers: headersFor(asked), signal }, resolve)
      sending.on('error', reject)
      sending.end(body && JSON.stringify(body))
    })

  return {
    signInAs: (access: string) => {
      token = access
    },
    open,
    ask: async (asked: Asked): Promise<Answer> => {
      const begin = performance.now()
      const response = await open(asked, AbortSignal.timeout(ANSWER_WITHIN_MS))
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
