import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One of our requests as the vendor received it. */
export interface VendorCall {
  method: string
  path: string
  clientId: string
  /** Identifies the process, because every process has its own token. */
  token: string
  beganMs: number
  /** When the whole response was sent; undefined before that, or if the client was gone. */
  answeredMs?: number
  /** When the request ended, answered or not. */
  endedMs?: number
  status?: number
  /** Set for telemetry only. */
  body?: string
}

const STREAM = '/telemetry/stream'
const TOKEN = '/connect/token'

const readText = async (request: IncomingMessage) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** A proxy in front of the vendor that records every request. */
export const startVendorGate = async (origin: string) => {
  const calls: VendorCall[] = []
  const clientIds = new Map<string, string>()
  const received = new EventTarget()

  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    const path = request.url ?? '/'
    const sent = await readText(request)
    const token = request.headers.authorization ?? ''
    const call: VendorCall = {
      method: request.method ?? 'GET',
      path,
      clientId: clientIds.get(token) ?? '',
      token,
      beganMs: Date.now(),
    }
    calls.push(call)
    response.on('close', () => {
      call.endedMs = Date.now()
    })
    const { authorization, 'content-type': type } = request.headers
    const answer = await fetch(`${origin}${path}`, {
      method: call.method,
      headers: { ...(authorization && { authorization }), ...(type && { 'content-type': type }) },
      ...(sent !== '' && { body: sent }),
      signal: gone.signal,
    })
    const body = await answer.text()
    if (path.endsWith(TOKEN)) noteToken(sent, body)
    call.status = answer.status
    if (path.endsWith(STREAM)) call.body = body
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' })
    response.end(body, () => {
      call.answeredMs = Date.now()
      if (path.endsWith(STREAM)) received.dispatchEvent(new Event('telemetry'))
    })
  }

  const noteToken = (form: string, body: string) => {
    const { access_token } = JSON.parse(body) as { access_token?: string }
    if (access_token) clientIds.set(`Bearer ${access_token}`, new URLSearchParams(form).get('client_id') ?? '')
  }

  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const own = `http://127.0.0.1:${port}`

  return {
    through: (address: string) => address.replace(origin, own),
    calls,
    streamCalls: () => calls.filter(({ path }) => path.endsWith(STREAM)),
    /** Resolves when the next telemetry response was sent, or at the timeout. */
    nextTelemetry: (withinMs: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, withinMs)
        const done = () => {
          clearTimeout(timer)
          resolve()
        }
        received.addEventListener('telemetry', done, { once: true })
      }),
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

export type VendorGate = Awaited<ReturnType<typeof startVendorGate>>
