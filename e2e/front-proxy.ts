import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { removalScript } from '#server/process/service-worker.ts'
import { addresses } from './addresses.ts'

/**
 * A proxy in front of the test stack that can deploy another build, turn off offline pages, or cut off the
 * server.
 */
export async function startFrontProxy() {
  let release: { name: string; head: string } | undefined
  let isOff = false
  let isDown = false
  const server = createServer((incoming, outgoing) => {
    if (isDown) return void outgoing.destroy()
    const path = incoming.url ?? '/'
    if (isOff && path === '/worker.js')
      return void outgoing.writeHead(200, { 'content-type': 'text/javascript' }).end(removalScript)
    // The proxy decides whether a page has changed.
    const { 'if-none-match': _, ...headers } = incoming.headers
    const upstream = send(
      new URL(path, addresses.url),
      { method: incoming.method, headers: { ...headers, 'accept-encoding': 'identity' } },
      (response) => {
        const isPage = response.headers['content-type']?.startsWith('text/html')
        if (!isPage || (!release && !isOff)) {
          outgoing.writeHead(response.statusCode ?? 502, response.headers)
          return void response.pipe(outgoing)
        }
        const chunks: Buffer[] = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.on('end', () => {
          const off = isOff ? '<meta name="dishboard:offline-pages" content="off">' : ''
          const html = Buffer.concat(chunks)
            .toString()
            .replace('</head>', `${release?.head ?? ''}${off}</head>`)
          const { 'content-length': __, ...sent } = response.headers
          outgoing.writeHead(200, { ...sent, etag: `W/"${release?.name ?? 'off'}"` }).end(html)
        })
      },
    )
    upstream.on('error', () => outgoing.destroy())
    incoming.pipe(upstream)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    /** Serves a page with an extended head. */
    deploy: (name: string, head: string) => {
      release = { name, head: `<meta name="release" content="${name}">${head}` }
    },
    switchOff: () => {
      isOff = true
    },
    goDown: () => {
      isDown = true
      server.closeAllConnections()
    },
    comeBack: () => {
      isDown = false
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
