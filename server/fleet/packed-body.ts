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

/** Bodies by their ETag and encoding, each packed once however many ask; the least recently asked for are let go. */
export const createPackedBodies = () => {
  const packed = new Map<string, Promise<Buffer>>()
  return {
    get: (etag: string, encoding: Encoding, body: () => string): Promise<Buffer> => {
      const key = `${encoding} ${etag}`
      const known = packed.get(key) ?? pack[encoding](body())
      packed.delete(key)
      packed.set(key, known)
      known.catch(() => packed.delete(key))
      for (const oldest of packed.keys()) {
        if (packed.size <= BODIES_KEPT) break
        packed.delete(oldest)
      }
      return known
    },
  }
}

export type PackedBodies = ReturnType<typeof createPackedBodies>
