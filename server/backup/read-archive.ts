import type { FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { type Chunk, computeSha256, decodeSeal, Index, SEAL_BYTES, SEAL_HEAD, type Section } from './archive-format.ts'
import type { BackupFile, SectionReader } from './backup-file.ts'
import type { StoredFile } from './brand-files.ts'
import { inParallel } from './in-parallel.ts'
import { damaged, readExactly, readSkippedEnd } from './seal.ts'

const decompress = promisify(zstdDecompress)

const MAX_INDEX_BYTES = 256 << 20
const CHECKS_AT_ONCE = 4

/** The bytes of a chunk as stored, with the checksum verified. */
const readChunk = async (file: FileHandle, { at, bytes, sha256 }: Omit<Chunk, 'rawBytes'>) => {
  const found = await readExactly(file, at, bytes)
  if ((await computeSha256(found)) !== sha256) throw damaged('a checksum does not fit, so it was cut or altered')
  return found
}

async function* readChunks(file: FileHandle, chunks: readonly Chunk[]) {
  for (const chunk of chunks) yield decompress(await readChunk(file, chunk), { maxOutputLength: chunk.rawBytes })
}

const listChunks = ({ sections, files }: Index) => [...sections, ...files].flatMap(({ chunks }) => chunks)

/** Verifies that every byte before the index belongs to exactly one chunk, and each chunk's checksum. */
const verifyChunks = async (file: FileHandle, index: Index, indexAt: number) => {
  const chunks = listChunks(index).sort((a, b) => a.at - b.at)
  let end = 0
  for (const { at, bytes } of chunks) {
    if (at !== end) throw damaged('it holds something else')
    end += bytes
  }
  if (end !== indexAt) throw damaged('it holds something else')
  await inParallel(Array.from({ length: CHECKS_AT_ONCE }), chunks, async (_, chunk) => {
    await readChunk(file, chunk)
  })
}

/** Reads the index of a file and verifies all its checksums; undefined if it has another format. */
export const openArchive = async (file: FileHandle): Promise<BackupFile | undefined> => {
  const end = await readSkippedEnd(file, SEAL_HEAD, SEAL_BYTES)
  if (!end) return
  const seal = decodeSeal(end.content)
  if (seal.at + seal.bytes !== end.at || seal.bytes > MAX_INDEX_BYTES) throw damaged('its end does not fit')
  const index = Index.parse(JSON.parse((await decompress(await readChunk(file, seal))).toString('utf8')))
  await verifyChunks(file, index, seal.at)
  const open = (section: Section): SectionReader => ({
    ...section,
    rawBytes: section.chunks.reduce((sum, { rawBytes }) => sum + rawBytes, 0),
    countRows: () => section.rows,
    read: () => readChunks(file, section.chunks),
  })
  const sections = index.sections.map(open)
  return {
    header: index.header,
    sequences: index.sequences,
    total: {
      totalBytes: sections.reduce((sum, { rawBytes = 0 }) => sum + rawBytes, 0),
      totalTables: sections.length,
    },
    partitions: sections.filter(({ partition }) => partition !== undefined),
    readSections: async function* () {
      yield* sections.filter(({ partition }) => partition === undefined)
    },
    readFiles: () =>
      Promise.all(
        index.files.map(async ({ chunks, ...brandFile }): Promise<StoredFile> => {
          const parts: Buffer[] = []
          for await (const part of readChunks(file, chunks)) parts.push(part)
          return { file: brandFile, bytes: Buffer.concat(parts) }
        }),
      ),
    close: () => file.close(),
  }
}
