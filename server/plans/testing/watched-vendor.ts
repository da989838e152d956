import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Watch = (line: string, carryOut: () => Promise<void>) => Promise<void>

/** A proxy of the simulated vendor that calls the test back when a line is being opted out. */
export const startWatchedVendor = async (vendorOrigin: string) => {
  const watch: { optOut: Watch } = { optOut: (_, carryOut) => carryOut() }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const forward = () =>
      fetch(`${vendorOrigin}${request.url}`, {
        method: request.method ?? 'GET',
        headers: {
          'content-type': request.headers['content-type'] ?? 'application/json',
          ...(request.headers.authorization && { authorization: request.headers.authorization }),
        },
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      })
    const prepareResponse = async () => {
      const upstream = await forward()
      const body = await upstream.text()
      return () => response.writeHead(upstream.status, { 'content-type': 'application/json' }).end(body)
    }
    const line = /service-lines\/([^/]+)\/data\/opt-out/.exec(request.url ?? '')?.[1]
    if (line === undefined) return (await prepareResponse())()
    let send = () => response.destroy() as unknown
    await watch.optOut(line, async () => {
      send = await prepareResponse()
    })
    send()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    watch,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
