import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createZstdDecompress } from 'node:zlib'
import { z } from 'zod'
import { BackupError } from './backup-error.ts'
import type { BackupFile, SectionReader } from './backup-file.ts'
import type { StoredFile } from './brand-files.ts'
import { BrandFile, Header, Name, Sequences } from './header.ts'
import { checkSeal, damaged } from './seal.ts'

// Formats 1 and 2, which are only read: one compressed stream of frames, each a letter, a length and that many bytes.

const Section = z.object({ table: Name, columns: z.array(Name).min(1) })
const SectionEnd = z.object({ rows: z.int().nonnegative() })
const Trailer = z.object({ sequences: Sequences })

type Frame =
  | { kind: 'header'; header: Header }
  | { kind: 'section'; section: z.output<typeof Section> }
  | { kind: 'brand file'; file: BrandFile }
  | { kind: 'data'; bytes: Buffer }
  | { kind: 'section end'; rows: number }
  | { kind: 'trailer'; sequences: Sequences }

const HEAD_BYTES = 5
const MAX_BYTES = 16 << 20

const parseFrame = (letter: string, bytes: Buffer): Frame => {
  if (letter === 'D') return { kind: 'data', bytes }
  const json: unknown = JSON.parse(bytes.toString('utf8'))
  if (letter === 'H') return { kind: 'header', header: Header.parse(json) }
  if (letter === 'F') return { kind: 'brand file', file: BrandFile.parse(json) }
  if (letter === 'S') return { kind: 'section', section: Section.parse(json) }
  if (letter === 'E') return { kind: 'section end', rows: SectionEnd.parse(json).rows }
  return { kind: 'trailer', sequences: Trailer.parse(json).sequences }
}

async function* readRawFrames(path: string, contentBytes: number) {
  let pending = Buffer.alloc(0)
  const content = createReadStream(path, { end: contentBytes - 1 })
  for await (const chunk of pipeline(content, createZstdDecompress(), () => {})) {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    while (pending.length >= HEAD_BYTES) {
      const length = pending.readUInt32BE(1)
      if (length > MAX_BYTES) throw damaged('it holds something else')
      if (pending.length < HEAD_BYTES + length) break
      yield pending.subarray(0, HEAD_BYTES + length)
      pending = pending.subarray(HEAD_BYTES + length)
    }
  }
  if (pending.length > 0) throw damaged('it ends in the middle')
}

async function* readFrames(path: string, contentBytes: number): AsyncGenerator<Frame> {
  for await (const raw of readRawFrames(path, contentBytes))
    yield parseFrame(raw.toString('latin1', 0, 1), raw.subarray(HEAD_BYTES))
}

/** The data of a section or file, up to the next frame. */
async function* readData(frames: AsyncIterator<Frame>, end: (rows: number) => void) {
  for (;;) {
    const { value: frame } = await frames.next()
    if (frame?.kind !== 'data') return end(frame?.kind === 'section end' ? frame.rows : -1)
    yield frame.bytes
  }
}

async function* readSections(path: string, contentBytes: number): AsyncGenerator<SectionReader> {
  const frames = readFrames(path, contentBytes)
  for (let next = await frames.next(); !next.done; next = await frames.next()) {
    if (next.value.kind !== 'section') continue
    let rows = -1
    const data = readData(frames, (count) => {
      rows = count
    })
    yield { ...next.value.section, format: 'text', countRows: () => rows, read: () => data }
  }
}

/** Verifies the checksum by reading the whole file once. */
export const openFrames = async (path: string): Promise<BackupFile> => {
  const contentBytes = await checkSeal(path)
  let header: Header | undefined
  let sequences: Sequences | undefined
  const files: StoredFile[] = []
  const frames = readFrames(path, contentBytes)
  for (let next = await frames.next(); !next.done; next = await frames.next()) {
    const frame = next.value
    if (frame.kind === 'header') header = frame.header
    if (frame.kind === 'trailer') sequences = frame.sequences
    if (frame.kind === 'brand file') files.push({ file: frame.file, bytes: await buffer(readData(frames, () => {})) })
  }
  if (!header || !sequences) throw new BackupError('The file is not a whole backup: its beginning is missing.')
  return {
    header,
    sequences,
    partitions: [],
    total: {},
    readSections: () => readSections(path, contentBytes),
    readFiles: async () => files,
    close: async () => {},
  }
}
