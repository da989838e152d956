import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { BackupError } from './backup-error.ts'

// The last bytes of a backup are the checksum of all bytes before them, in a frame that zstd skips.
const HASH_BYTES = 32
const FRAME_HEAD = Buffer.from([0x50, 0x2a, 0x4d, 0x18, HASH_BYTES, 0, 0, 0])
const SEAL_BYTES = FRAME_HEAD.length + HASH_BYTES

export const damaged = (how: string) =>
  new BackupError(`The file is not a whole backup: ${how}. Nothing was restored; take another copy of it.`)

/** Passes bytes through and appends their checksum. */
export const createSeal = () => {
  const hash = createHash('sha256')
  return new Transform({
    transform: (chunk, _encoding, done) => {
      hash.update(chunk)
      done(null, chunk)
    },
    flush: (done) => done(null, Buffer.concat([FRAME_HEAD, hash.digest()])),
  })
}

const readSeal = async (path: string) => {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const end = Buffer.alloc(SEAL_BYTES)
    const { bytesRead } = await file.read(end, 0, SEAL_BYTES, Math.max(0, size - SEAL_BYTES))
    if (size <= SEAL_BYTES || bytesRead < SEAL_BYTES || !end.subarray(0, FRAME_HEAD.length).equals(FRAME_HEAD))
      throw damaged('its end is missing')
    return { contentBytes: size - SEAL_BYTES, hash: end.subarray(FRAME_HEAD.length) }
  } finally {
    await file.close()
  }
}

/** Verifies the checksum and returns how many bytes of the file are content. */
export const checkSeal = async (path: string) => {
  const { contentBytes, hash } = await readSeal(path)
  const found = createHash('sha256')
  for await (const chunk of createReadStream(path, { end: contentBytes - 1 })) found.update(chunk)
  if (!found.digest().equals(hash)) throw damaged('its checksum does not fit, so it was cut or altered')
  return contentBytes
}
