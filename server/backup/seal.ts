import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { BackupError } from './backup-error.ts'

export const damaged = (how: string) =>
  new BackupError(`The file is not a whole backup: ${how}. Nothing was restored; take another copy of it.`)

/** Reads exactly these bytes. */
export const readExactly = async (file: FileHandle, at: number, length: number) => {
  const bytes = Buffer.allocUnsafe(length)
  let done = 0
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, at + done)
    if (bytesRead === 0) throw damaged('it ends in the middle')
    done += bytesRead
  }
  return bytes
}

/** The skippable zstd frame at the end of a file, with this many bytes of content; undefined if there is none. */
export const readSkippedEnd = async (file: FileHandle, head: Buffer, contentBytes: number) => {
  const { size } = await file.stat()
  const endBytes = head.length + contentBytes
  if (size <= endBytes) return
  const end = await readExactly(file, size - endBytes, endBytes)
  if (!end.subarray(0, head.length).equals(head)) return
  return { at: size - endBytes, content: end.subarray(head.length) }
}

const HASH_BYTES = 32
const FRAME_HEAD = Buffer.from([0x50, 0x2a, 0x4d, 0x18, HASH_BYTES, 0, 0, 0])

/** Formats 1 and 2 end with the checksum of all preceding bytes. Verifies it and returns how many bytes are content. */
export const checkSeal = async (path: string) => {
  const file = await open(path)
  const seal = await readSkippedEnd(file, FRAME_HEAD, HASH_BYTES).finally(() => file.close())
  if (!seal) throw damaged('its end is missing')
  const found = createHash('sha256')
  for await (const chunk of createReadStream(path, { end: seal.at - 1 })) found.update(chunk)
  if (!found.digest().equals(seal.content)) throw damaged('its checksum does not fit, so it was cut or altered')
  return seal.at
}
