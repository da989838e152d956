import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32, deflateSync } from 'node:zlib'

/** How the tile server responds. */
export type TileServerMode = 'serves' | 'refuses' | 'hangs'

const encodeUint32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const encodeChunk = (type: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([encodeUint32(data.length), body, encodeUint32(crc32(body))])
}

/** A PNG of one pixel, which the browser stretches over the whole tile. */
const encodePng = (color: [red: number, green: number, blue: number]) => {
  const head = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0])
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const pixels = deflateSync(Buffer.from([0, ...color]))
  return Buffer.concat([
    signature,
    encodeChunk('IHDR', head),
    encodeChunk('IDAT', pixels),
    encodeChunk('IEND', Buffer.alloc(0)),
  ])
}

const tiles: Record<string, Buffer> = { light: encodePng([120, 120, 240]), dark: encodePng([60, 0, 60]) }

/** A tile server on loopback: `/light/z/x/y` and `/dark/z/x/y`. `/mode/NAME` switches its mode. */
export async function startTileServer() {
  let mode: TileServerMode = 'serves'
  const hanging = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    const [, first = '', second = ''] = (request.url ?? '').split('/')
    if (first === 'mode') {
      mode = second as TileServerMode
      for (const waiting of hanging) waiting.destroy()
      return response.end()
    }
    if (mode === 'hangs') return hanging.add(response)
    if (mode === 'refuses') return response.writeHead(503).end()
    return response.writeHead(200, { 'content-type': 'image/png', 'cache-control': 'no-store' }).end(tiles[first])
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
