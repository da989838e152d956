import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deflateSync } from 'node:zlib'

/** What a tile server does, well and badly. */
export type TileServerMode = 'serves' | 'refuses' | 'hangs'

const chunk = (type: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, body, crcOf(body)])
}

const crcOf = (bytes: Buffer) => {
  let crc = ~0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  const written = Buffer.alloc(4)
  written.writeUInt32BE(~crc >>> 0)
  return written
}

/** One pixel of one colour; a browser stretches it over the whole tile. */
const encodePng = (color: [red: number, green: number, blue: number]) => {
  const head = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0])
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const pixels = deflateSync(Buffer.from([0, ...color]))
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

const pictures: Record<string, Buffer> = { light: encodePng([120, 120, 240]), dark: encodePng([60, 0, 60]) }

/** A tile server on loopback: `/light/z/x/y` and `/dark/z/x/y`; `/manner/NAME` makes it behave so from then on. */
export async function startTileServer() {
  let manner: TileServerMode = 'serves'
  const hanging = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    const [, first = '', second = ''] = (request.url ?? '').split('/')
    if (first === 'manner') {
      manner = second as TileServerMode
      for (const waiting of hanging) waiting.destroy()
      return response.end()
    }
    if (manner === 'hangs') return hanging.add(response)
    if (manner === 'refuses') return response.writeHead(503).end()
    return response.writeHead(200, { 'content-type': 'image/png', 'cache-control': 'no-store' }).end(pictures[first])
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
