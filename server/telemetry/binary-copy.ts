import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

// PostgreSQL counts microseconds from 2000-01-01.
const POSTGRES_EPOCH_US = Date.UTC(2000, 0, 1) * 1000
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const TRAILER = Buffer.from([0xff, 0xff])
const CHUNK_BYTES = 256 * 1024
const TEXT_OID = 25

/** Writes rows in PostgreSQL's binary COPY format. Each method writes a field of its type. */
export class BinaryCopy {
  readonly #chunks: Buffer[] = [SIGNATURE]
  #chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  #view = new DataView(this.#chunk.buffer, this.#chunk.byteOffset, this.#chunk.byteLength)
  #used = 0

  /** Begins a row. Exactly this many fields must follow. */
  row(fields: number) {
    this.#reserve(2)
    this.#view.setInt16(this.#used, fields)
    this.#used += 2
  }

  int8(value: number) {
    this.#head(8)
    this.#view.setInt32(this.#used, Math.floor(value / 0x1_0000_0000))
    this.#view.setUint32(this.#used + 4, value >>> 0)
    this.#used += 8
  }

  timestamp(us: number) {
    this.int8(us - POSTGRES_EPOCH_US)
  }

  int4(value: number | null) {
    // A value that PostgreSQL cannot store must not fail the whole batch.
    if (value === null || value > 0x7fffffff || value < -0x80000000) return this.null()
    this.#head(4)
    this.#view.setInt32(this.#used, value)
    this.#used += 4
  }

  float4(value: number | null) {
    // JSON cannot represent a value that is too large for PostgreSQL's real.
    if (value === null || !Number.isFinite(Math.fround(value))) return this.null()
    this.#head(4)
    this.#view.setFloat32(this.#used, value)
    this.#used += 4
  }

  bool(value: boolean | null) {
    if (value === null) return this.null()
    this.#head(1)
    this.#chunk[this.#used++] = value ? 1 : 0
  }

  text(value: string | null) {
    if (value === null) return this.null()
    const storable = withoutNul(value)
    this.#head(Buffer.byteLength(storable))
    this.#used += this.#chunk.write(storable, this.#used)
  }

  texts(given: readonly string[]) {
    const values = given.map(withoutNul)
    const lengths = values.map((value) => Buffer.byteLength(value))
    const empty = values.length === 0
    this.#head(lengths.reduce((sum, bytes) => sum + 4 + bytes, empty ? 12 : 20))
    const header = empty ? [0, 0, TEXT_OID] : [1, 0, TEXT_OID, values.length, 1]
    for (const word of header) this.#word(word)
    for (const [index, value] of values.entries()) {
      this.#word(lengths[index] as number)
      this.#used += this.#chunk.write(value, this.#used)
    }
  }

  null() {
    this.#reserve(4)
    this.#word(-1)
  }

  /** Sends everything as `copy … from stdin`. */
  async send(client: pg.PoolClient, target: string) {
    const body = [...this.#chunks, this.#chunk.subarray(0, this.#used), TRAILER]
    await pipeline(Readable.from(body), client.query(copyFrom(`copy ${target} from stdin (format binary)`)))
  }

  #word(value: number) {
    this.#view.setInt32(this.#used, value)
    this.#used += 4
  }

  #head(bytes: number) {
    this.#reserve(4 + bytes)
    this.#word(bytes)
  }

  #reserve(bytes: number) {
    if (this.#used + bytes <= this.#chunk.byteLength) return
    this.#chunks.push(this.#chunk.subarray(0, this.#used))
    this.#chunk = Buffer.allocUnsafe(Math.max(CHUNK_BYTES, bytes))
    this.#view = new DataView(this.#chunk.buffer, this.#chunk.byteOffset, this.#chunk.byteLength)
    this.#used = 0
  }
}

// PostgreSQL's text cannot store U+0000, and one odd name must not fail the whole batch.
const withoutNul = (text: string) => (text.includes('\0') ? text.replaceAll('\0', '') : text)
