import { z } from 'zod'
import { BrandFile, Header, Name, Sequences } from './header.ts'

// Format 3: chunks, then an index that lists them, then the seal. Each chunk is a separate zstd frame with a checksum in
// the index, so that chunks are written, verified and read independently. The seal is a skippable zstd frame with the
// position, length and checksum of the index.

/** Uncompressed bytes of rows: large enough to compress well, small enough to hold several in memory. */
export const CHUNK_BYTES = 4 << 20
const MAX_CHUNK_BYTES = 64 << 20

const Chunk = z.object({
  at: z.int().nonnegative(),
  bytes: z.int().positive(),
  rawBytes: z.int().positive().max(MAX_CHUNK_BYTES),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})
const Section = z.object({
  table: Name,
  /** The partition, if the table is partitioned. */
  partition: Name.optional(),
  columns: z.array(Name).min(1),
  /** The format of PostgreSQL's COPY. Numbers and times load twice as fast in binary. */
  format: z.enum(['text', 'binary']),
  rows: z.int().nonnegative(),
  chunks: z.array(Chunk),
})
const StoredBrandFile = z.object({ ...BrandFile.shape, chunks: z.array(Chunk) })

export const Index = z.object({
  header: Header,
  /** Referenced tables first. */
  sections: z.array(Section),
  files: z.array(StoredBrandFile),
  sequences: Sequences,
})
export type Index = z.output<typeof Index>
export type Chunk = z.output<typeof Chunk>
export type Section = z.output<typeof Section>

const HASH_BYTES = 32
export const SEAL_BYTES = 8 + 8 + HASH_BYTES
export const SEAL_HEAD = Buffer.from([0x51, 0x2a, 0x4d, 0x18, SEAL_BYTES, 0, 0, 0])

export const encodeSeal = ({ at, bytes, sha256 }: Omit<Chunk, 'rawBytes'>) => {
  const seal = Buffer.alloc(16)
  seal.writeBigUInt64BE(BigInt(at), 0)
  seal.writeBigUInt64BE(BigInt(bytes), 8)
  return Buffer.concat([SEAL_HEAD, seal, Buffer.from(sha256, 'hex')])
}

export const decodeSeal = (content: Buffer) => ({
  at: Number(content.readBigUInt64BE(0)),
  bytes: Number(content.readBigUInt64BE(8)),
  sha256: content.toString('hex', 16),
})

/** Unlike createHash(), this runs in a separate thread. */
export const computeSha256 = async (bytes: Buffer<ArrayBuffer>) =>
  Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')
