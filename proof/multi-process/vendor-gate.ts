import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { msUntil } from './client.ts'

/** One of our requests as the vendor received it. */
export interface VendorCall {
  method: string
  path: string
  clientId: string
  /** Identifies the process, because every process has its own token. */
  token: string
  beganMs: number
  /** When the whole response was sent; undefined before that, or if the client disconnected. */
  respondedMs?: number
  /** When the request ended, with or without a response. */
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
  /** Responses of the stream that are held while the gate is closed. */
  const held: (() => void)[] = []
  let isClosed = false

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
    const upstream = await fetch(`${origin}${path}`, {
      method: call.method,
      headers: { ...(authorization && { authorization }), ...(type && { 'content-type': type }) },
      ...(sent !== '' && { body: sent }),
      signal: gone.signal,
    })
    const body = await upstream.text()
    if (path.endsWith(TOKEN)) recordToken(sent, body)
    call.status = upstream.status
    if (path.endsWith(STREAM)) call.body = body
    if (path.endsWith(STREAM) && isClosed) await new Promise<void>((resolve) => held.push(resolve))
    if (gone.signal.aborted) return
    response.writeHead(upstream.status, { 'content-type': upstream.headers.get('content-type') ?? 'application/json' })
    response.end(body, () => {
      call.respondedMs = Date.now()
    })
  }

  const recordToken = (form: string, body: string) => {
    const { access_token } = JSON.parse(body) as { access_token?: string }
    if (access_token) clientIds.set(`Bearer ${access_token}`, new URLSearchParams(form).get('client_id') ?? '')
  }

  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const own = `http://127.0.0.1:${port}`
  const streamCalls = () => calls.filter(({ path }) => path.endsWith(STREAM))

  return {
    through: (address: string) => address.replace(origin, own),
    calls,
    streamCalls,
    /**
     * Holds back responses of the stream, and waits until none is in flight: each one that was sent is stored, because
     * the next request came after it. A response in flight when its receiver is killed cannot be recovered.
     */
    closeStream: async () => {
      isClosed = true
      const isSettled = () =>
        Map.groupBy(streamCalls(), ({ clientId }) => clientId)
          .values()
          .every((each) => each.at(-1)?.respondedMs === undefined || each.at(-1)?.status !== 200)
      await msUntil(isSettled)
    },
    /** Sends one of the held responses. */
    passOne: async () => {
      await msUntil(() => held.length > 0)
      held.shift()?.()
    },
    openStream: () => {
      isClosed = false
      for (const pass of held.splice(0)) pass()
    },
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

export type VendorGate = Awaited<ReturnType<typeof startVendorGate>>
