import type { Encoding } from '../platform/http/accept-encoding.ts'
import { compress } from '../platform/http/large-body.ts'

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
