import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { z } from 'zod'
import { BackupError } from './backup-error.ts'
import { checkSeal, damaged } from './seal.ts'

// One compressed file with a checksum. It holds frames: a letter, a length and that many bytes.

const name = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/)
const moment = z.string().regex(/^[\d :.+-]{10,40}$/)

export const Header = z.object({
  product: z.literal('dishboard'),
  /** The second has brand files, and may lack telemetry. */
  format: z.union([z.literal(1), z.literal(2)]),
  version: z.string(),
  madeAt: z.string(),
  /** Shows whether SECRET_KEY is still the same, without revealing it. */
  keyCheck: z.string(),
  migrations: z.array(z.string()).min(1),
  tenants: z.array(z.string()),
  partitions: z.array(z.object({ table: name, name, from: moment, to: moment })),
  hasTelemetry: z.boolean().default(true),
})
export const BrandFile = z.object({
  tenant: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,39}$/),
  name: z.string().regex(/^[\w-][\w.-]{0,200}$/),
})
export const Section = z.object({ table: name, columns: z.array(name).min(1) })
export const SectionEnd = z.object({ rows: z.int().nonnegative() })
const Trailer = z.object({
  rows: z.int().nonnegative(),
  sequences: z.array(z.object({ table: name, column: name, last: z.int().nonnegative() })),
})

export type Header = z.output<typeof Header>
export type BrandFile = z.output<typeof BrandFile>
export type Section = z.output<typeof Section>
export type Trailer = z.output<typeof Trailer>

export type Frame =
  | { kind: 'header'; header: Header }
  | { kind: 'section'; section: Section }
  | { kind: 'brand file'; file: BrandFile }
  | { kind: 'data'; bytes: Buffer }
  | { kind: 'section end'; rows: number }
  | { kind: 'trailer'; trailer: Trailer }

const HEAD_BYTES = 5
const MOST_BYTES = 1 << 20

const encodeFrame = (letter: string, bytes: Buffer) => {
  const head = Buffer.alloc(HEAD_BYTES)
  head.write(letter, 'latin1')
  head.writeUInt32BE(bytes.length, 1)
  return Buffer.concat([head, bytes])
}

const jsonFrame = (letter: string, value: object) => encodeFrame(letter, Buffer.from(JSON.stringify(value)))

/** What a backup holds, as bytes. */
export const frames = {
  header: (header: Header) => jsonFrame('H', header),
  section: (section: Section) => jsonFrame('S', section),
  /** Data and a section's end follow, as for rows. */
  brandFile: (file: BrandFile) => jsonFrame('F', file),
  *data(bytes: Buffer) {
    for (let at = 0; at < bytes.length; at += MOST_BYTES) yield encodeFrame('D', bytes.subarray(at, at + MOST_BYTES))
  },
  sectionEnd: (rows: number) => jsonFrame('E', { rows }),
  trailer: (trailer: Trailer) => jsonFrame('Z', trailer),
}

const parseFrame = (letter: string, bytes: Buffer): Frame => {
  if (letter === 'D') return { kind: 'data', bytes }
  const json: unknown = JSON.parse(bytes.toString('utf8'))
  if (letter === 'H') return { kind: 'header', header: Header.parse(json) }
  if (letter === 'F') return { kind: 'brand file', file: BrandFile.parse(json) }
  if (letter === 'S') return { kind: 'section', section: Section.parse(json) }
  if (letter === 'E') return { kind: 'section end', rows: SectionEnd.parse(json).rows }
  return { kind: 'trailer', trailer: Trailer.parse(json) }
}

async function* readRawFrames(path: string, contentBytes: number) {
  let pending = Buffer.alloc(0)
  const content = createReadStream(path, { end: contentBytes - 1 })
  for await (const chunk of pipeline(content, createZstdDecompress(), () => {})) {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    while (pending.length >= HEAD_BYTES) {
      const length = pending.readUInt32BE(1)
      if (length > MOST_BYTES * 16) throw damaged('it holds something else')
      if (pending.length < HEAD_BYTES + length) break
      yield pending.subarray(0, HEAD_BYTES + length)
      pending = pending.subarray(HEAD_BYTES + length)
    }
  }
  if (pending.length > 0) throw damaged('it ends in the middle')
}

/** Verifies the checksum, then reads the frames of a backup. */
export async function* readFrames(path: string): AsyncGenerator<Frame> {
  try {
    const contentBytes = await checkSeal(path)
    for await (const raw of readRawFrames(path, contentBytes))
      yield parseFrame(raw.toString('latin1', 0, 1), raw.subarray(HEAD_BYTES))
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException
    if (error instanceof BackupError) throw error
    if (syscall !== undefined) throw new BackupError(`${path} cannot be read: ${message}`)
    throw damaged('it holds something else')
  }
}
