import { open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import { CHUNK_BYTES, type Chunk, computeSha256, encodeSeal, type Index } from './archive-format.ts'

const compress = promisify(zstdCompress)

/** A new file of chunks that several writers append to concurrently. Nobody else has opened it or chosen who may read it. */
export const createArchive = async (path: string) => {
  const file = await open(path, 'wx', 0o600)
  let end = 0

  const append = async (bytes: Buffer) => {
    const at = end
    end += bytes.length
    for (let done = 0; done < bytes.length; )
      done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten
    return at
  }

  const writeChunk = async (raw: Buffer): Promise<Chunk> => {
    const bytes = await compress(raw)
    const sha256 = await computeSha256(bytes)
    return { at: await append(bytes), bytes: bytes.length, rawBytes: raw.length, sha256 }
  }

  return {
    /** Compresses one chunk while the next is read. */
    writeChunks: async (source: AsyncIterable<Buffer>, onBytes: (bytes: number) => void = () => {}) => {
      const chunks: Chunk[] = []
      let pending: Buffer[] = []
      let pendingBytes = 0
      let writing: Promise<unknown> = Promise.resolve()
      const flush = async () => {
        await writing
        const raw = Buffer.concat(pending)
        const place = chunks.push({ at: 0, bytes: 0, rawBytes: 0, sha256: '' }) - 1
        writing = writeChunk(raw).then((chunk) => {
          chunks[place] = chunk
        })
        // The next await receives the error.
        writing.catch(() => {})
        onBytes(pendingBytes)
        pending = []
        pendingBytes = 0
      }
      for await (const bytes of source) {
        pending.push(bytes)
        pendingBytes += bytes.length
        if (pendingBytes >= CHUNK_BYTES) await flush()
      }
      if (pendingBytes > 0) await flush()
      await writing
      return chunks
    },
    finish: async (index: Index) => {
      const chunk = await writeChunk(Buffer.from(JSON.stringify(index)))
      await append(encodeSeal(chunk))
      await file.sync()
    },
    close: () => file.close(),
  }
}

export type Archive = Awaited<ReturnType<typeof createArchive>>
