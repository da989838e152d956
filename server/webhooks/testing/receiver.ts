import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Received {
  headers: IncomingHttpHeaders & Record<string, string>
  body: string
}

interface Response {
  status: number
  headers?: OutgoingHttpHeaders
  body?: string
  /** Runs when the event has arrived, before the response. */
  meanwhile?: () => Promise<void>
}

/** A real webhook receiver on loopback that responds as the test sets, by default with 204. */
export const startReceiver = async (host = '127.0.0.1') => {
  const received: Received[] = []
  const next: Response[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push({ headers: request.headers as Received['headers'], body })
    const { status, headers, body: text, meanwhile } = next.shift() ?? { status: 204 }
    await meanwhile?.()
    response.writeHead(status, headers).end(text)
  })
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host}:${port}/hook`,
    port,
    received,
    next,
    /** What was received since the last call. */
    take: () => received.splice(0),
    close: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>
