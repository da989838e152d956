import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'

export type Encoding = 'zstd' | 'br' | 'gzip' | 'identity'

const zstd = promisify(zstdCompress)
const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

const pack: Record<Encoding, (body: string) => Promise<Buffer>> = {
  zstd: (body) => zstd(body, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  br: (body) => brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (body) => gzipped(body, { level: 4 }),
  identity: async (body) => Buffer.from(body),
}

const preference: Encoding[] = ['zstd', 'br', 'gzip']

/** The best encoding a browser takes; one with `q=0` is refused. */
export const chooseEncoding = (acceptEncoding: string | undefined): Encoding => {
  const accepted = new Map<string, boolean>()
  for (const part of (acceptEncoding ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    accepted.set(name, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)))
  }
  return preference.find((encoding) => accepted.get(encoding)) ?? 'identity'
}

const BODIES_KEPT = 64

/**
 * The newest body of each view and encoding, packed once however many ask. A body that was replaced is of no use to
 * anybody; of views that nobody asked for in a long time, the body is let go.
 */
export const createPackedBodies = () => {
  const packed = new Map<string, { etag: string; body: Promise<Buffer> }>()
  return {
    get: (view: string, etag: string, encoding: Encoding, body: () => string): Promise<Buffer> => {
      const key = `${encoding} ${view}`
      const known = packed.get(key)
      const entry = known?.etag === etag ? known : { etag, body: pack[encoding](body()) }
      packed.delete(key)
      packed.set(key, entry)
      entry.body.catch(() => packed.delete(key))
      for (const oldest of packed.keys()) {
        if (packed.size <= BODIES_KEPT) break
        packed.delete(oldest)
      }
      return entry.body
    },
  }
}

export type PackedBodies = ReturnType<typeof createPackedBodies>
