import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import { type Encoding, negotiateEncoding } from '../platform/http/accept-encoding.ts'

const zstd = promisify(zstdCompress)
const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

const SMALL_LINES = 3_000
const SMALL_BYTES = 2_000_000

const compress: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  zstd: (body) => zstd(body, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  br: (body) => brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: body.length < SMALL_BYTES ? 5 : 4 } }),
  gzip: (body) => gzipped(body, { level: 4 }),
  identity: async (body) => body,
}

// For a small list, brotli output is an eighth smaller than zstd in the same time. For a large list it takes several
// times as long.
const preferences: Record<'small' | 'large', Encoding[]> = {
  small: ['br', 'zstd', 'gzip'],
  large: ['zstd', 'br', 'gzip'],
}

/** The best encoding that the browser accepts for a list of this many lines. */
export const chooseEncoding = (acceptEncoding: string | undefined, lines: number): Encoding =>
  negotiateEncoding(acceptEncoding, preferences[lines <= SMALL_LINES ? 'small' : 'large'])

const CACHE_MAX_BYTES = 64 * 1024 * 1024

interface Packed {
  etag: string
  body: Promise<Buffer>
  bytes: number
}

/**
 * A cache of the newest body per view and encoding. Each is compressed once, however many clients request it; the least
 * recently used ones are evicted.
 */
export const createPackedBodies = () => {
  const packed = new Map<string, Packed>()

  const evictOldest = () => {
    let bytes = 0
    for (const [key, entry] of [...packed].reverse()) {
      bytes += entry.bytes
      if (bytes > CACHE_MAX_BYTES) packed.delete(key)
    }
  }

  const startCompression = (key: string, etag: string, encoding: Encoding, body: () => Buffer) => {
    const entry: Packed = { etag, body: compress[encoding](body()), bytes: 0 }
    entry.body.then(
      ({ length }) => {
        entry.bytes = length
        evictOldest()
      },
      () => packed.delete(key),
    )
    return entry
  }

  return {
    get: (view: string, etag: string, encoding: Encoding, body: () => Buffer): Promise<Buffer> => {
      const key = `${encoding} ${view}`
      const known = packed.get(key)
      const entry = known?.etag === etag ? known : startCompression(key, etag, encoding, body)
      packed.delete(key)
      packed.set(key, entry)
      return entry.body
    },
  }
}

export type PackedBodies = ReturnType<typeof createPackedBodies>
