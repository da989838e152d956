import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A vendor that answers its stream with the bodies it was given, as fast as they are asked for, then with silence. */
export const startReplayedVendor = async () => {
  const waiting: Buffer[] = []
  const nothing = JSON.stringify({ data: { values: [], columnNamesByDeviceType: {} }, metadata: { enums: {} } })
  const server = createServer((request, response) => {
    request.resume()
    response.setHeader('content-type', 'application/json')
    if (request.url === '/token') response.end(JSON.stringify({ access_token: 'token', expires_in: 900 }))
    else response.end(waiting.shift() ?? nothing)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    baseUrl: origin,
    tokenUrl: `${origin}/token`,
    offer: (bodies: readonly string[]) => {
      waiting.push(...bodies.map((body) => Buffer.from(body)))
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
