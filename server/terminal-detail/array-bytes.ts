// PostgreSQL counts microseconds from 2000-01-01.
const POSTGRES_EPOCH_US = Date.UTC(2000, 0, 1) * 1000
const TWO_TO_32 = 0x1_0000_0000

/** PostgreSQL's binary form of an array (`array_send`): how many dimensions, whether it has nulls, the type, the dimensions. */
const HEADER_BYTES = 12
const DIMENSION_BYTES = 8

const elementsOf = (base64: string) => {
  const { buffer, byteOffset, length } = Buffer.from(base64, 'base64')
  const view = new DataView(buffer, byteOffset, length)
  const dimensions = view.getInt32(0)
  let count = 1
  for (let each = 0; each < dimensions; each++) count *= view.getInt32(HEADER_BYTES + each * DIMENSION_BYTES)
  return { view, count, from: HEADER_BYTES + dimensions * DIMENSION_BYTES }
}

/** The values of a `real[]`, not a number where one is missing. */
export const realsIn = (base64: string): Float32Array => {
  const { view, count, from } = elementsOf(base64)
  const values = new Float32Array(count)
  for (let place = 0, at = from; place < count; place++) {
    const isMissing = view.getInt32(at) < 0
    values[place] = isMissing ? Number.NaN : view.getFloat32(at + 4)
    at += isMissing ? 4 : 8
  }
  return values
}

/** The moments of a `timestamptz[]` without nulls, in microseconds since 1970. */
export const momentsUsIn = (base64: string): Float64Array => {
  const { view, count, from } = elementsOf(base64)
  const moments = new Float64Array(count)
  for (let place = 0, at = from + 4; place < count; place++, at += 12)
    moments[place] = view.getInt32(at) * TWO_TO_32 + view.getUint32(at + 4) + POSTGRES_EPOCH_US
  return moments
}
