import { Agent, request } from 'node:http'
import type { Operation } from './operations.ts'
import type { Parts } from './valid.ts'

/** A raw request: invalid ones cannot be expressed at a higher level. */
export interface Wire {
  method: string
  path: string
  headers: Record<string, string>
  body: string | undefined
  /** What is wrong with it; undefined if it is valid. */
  fault?: string
}

export interface CallResult {
  status: number
  text: string
  ms: number
}

export const JSON_TYPE = 'application/json'

export const buildPath = ({ path }: Operation, values: Record<string, unknown>) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])))

const buildQuery = (values: Record<string, unknown>) => {
  const query = Object.entries(values).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  return query.length > 0 ? `?${query.join('&')}` : ''
}

export const toWire = (operation: Operation, { path, query, body }: Parts): Wire => ({
  method: operation.method,
  path: buildPath(operation, path) + buildQuery(query),
  headers: body === undefined ? {} : { 'content-type': JSON_TYPE },
  body: body === undefined ? undefined : JSON.stringify(body),
})

const TIMEOUT_MS = 30_000

/** Sends and times one request. A stream counts as received when it starts. */
export const openLine = (url: string) => {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true })
  const send = (
    { method, path, headers, body }: Omit<Wire, 'body'> & { body: string | Buffer | undefined },
    more: Record<string, string>,
  ) =>
    new Promise<CallResult>((resolve, reject) => {
      const start = performance.now()
      const call = request({ agent, hostname, port, method, path, headers: { ...headers, ...more } }, (response) => {
        const status = response.statusCode ?? 0
        let text = ''
        const finish = () => resolve({ status, text, ms: performance.now() - start })
        response.setEncoding('utf8').on('data', (part) => {
          text += part
          if (response.headers['content-type']?.startsWith('text/event-stream')) {
            finish()
            call.destroy()
          }
        })
        response.on('end', finish)
        response.on('error', reject)
      })
      call.on('error', reject)
      call.setTimeout(TIMEOUT_MS, () => call.destroy(new Error(`no response within ${TIMEOUT_MS} ms`)))
      call.end(body)
    })
  return { send, close: () => agent.destroy() }
}

export type Line = ReturnType<typeof openLine>
