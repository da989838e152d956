import { getWidth, type Points } from './points-json.ts'

// PostgreSQL counts microseconds from 2000-01-01.
const POSTGRES_EPOCH_US = Date.UTC(2000, 0, 1) * 1000
const TWO_TO_32 = 0x1_0000_0000
const MOMENT_BYTES = 8
const REAL_BYTES = 4

/** The points that PostgreSQL has put one after the other as bytes. */
export const decodePoints = (base64: string, hasBands: boolean): Points => {
  const { buffer, byteOffset, length } = Buffer.from(base64, 'base64')
  const view = new DataView(buffer, byteOffset, length)
  const width = getWidth({ hasBands })
  const count = length / (MOMENT_BYTES + width * REAL_BYTES)
  const timesUs = new Float64Array(count)
  const values = new Float32Array(count * width)
  for (let point = 0, at = 0; point < count; point++) {
    timesUs[point] = view.getInt32(at) * TWO_TO_32 + view.getUint32(at + REAL_BYTES) + POSTGRES_EPOCH_US
    at += MOMENT_BYTES
    for (let place = point * width; place < (point + 1) * width; place++, at += REAL_BYTES)
      values[place] = view.getFloat32(at)
  }
  return { timesUs, values, hasBands }
}
