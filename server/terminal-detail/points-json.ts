import { type MeasureName, mapMeasures, measures } from '#contract/measures.ts'
import { JsonBytes, roundForJson } from './json-bytes.ts'

/** In chronological order; a missing value is NaN. */
export interface Points {
  timesUs: Float64Array
  /** For each point: the value of each measure, then, with bands, the minimum and the maximum of each. */
  values: Float32Array
  hasBands: boolean
}

export type Extremes = Record<MeasureName, { min: number | null; max: number | null }>

const WIDTH = measures.length
const getWidth = ({ hasBands }: Pick<Points, 'hasBands'>) => (hasBands ? 3 * WIDTH : WIDTH)
const getMinOffset = ({ hasBands }: Points) => (hasBands ? WIDTH : 0)
const getMaxOffset = ({ hasBands }: Points) => (hasBands ? 2 * WIDTH : 0)

// PostgreSQL counts microseconds from 2000-01-01.
const POSTGRES_EPOCH_US = Date.UTC(2000, 0, 1) * 1000
const TWO_TO_32 = 0x1_0000_0000
const MOMENT_BYTES = 8
const REAL_BYTES = 4

/** Decodes the points that PostgreSQL has concatenated as bytes. */
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

/** Estimated sizes of a point and of a number, including names. Too low an estimate costs a copy. */
const POINT_BYTES = 180
const NUMBER_BYTES = 11

const [FIRST_POINT, NEXT_POINT, END, OPEN, COMMA, CLOSE] = ['{"timestamp":', ',{"timestamp":', '}', '[', ',', ']'].map(
  (text) => Buffer.from(text),
) as [Buffer, Buffer, Buffer, Buffer, Buffer, Buffer]
const KEYS = measures.map(({ name }) => Buffer.from(`,"${name}":`))

/** Writes the newest points as a JSON list without its brackets. */
export const writePoints = (points: Points, most: number): Buffer => {
  const { timesUs, values } = points
  const width = getWidth(points)
  const first = Math.max(0, timesUs.length - most)
  const json = new JsonBytes((timesUs.length - first) * POINT_BYTES)
  for (let place = first; place < timesUs.length; place++) {
    json.raw(place === first ? FIRST_POINT : NEXT_POINT)
    json.whole(timesUs[place] as number)
    for (let measure = 0; measure < WIDTH; measure++) {
      json.raw(KEYS[measure] as Buffer)
      json.decimal(values[place * width + measure] as number)
    }
    json.raw(END)
  }
  return json.taken()
}

export const writeBands = (points: Points): Buffer => {
  const { timesUs, values } = points
  const width = getWidth(points)
  const json = new JsonBytes(2 * WIDTH * (timesUs.length + 4) * NUMBER_BYTES)
  const writeList = (column: number) => {
    json.raw(OPEN)
    for (let at = column; at < values.length; at += width) {
      if (at > column) json.raw(COMMA)
      json.decimal(values[at] as number)
    }
    json.raw(CLOSE)
  }
  for (const [index, { name }] of measures.entries()) {
    json.text(`${index === 0 ? '{' : ','}"${name}":{"min":`)
    writeList(getMinOffset(points) + index)
    json.text(',"max":')
    writeList(getMaxOffset(points) + index)
    json.raw(END)
  }
  json.raw(END)
  return json.taken()
}

/** Rounds like the points, so that a chart's highest point equals its MAX. */
const rounded = (value: number) => (Number.isFinite(value) ? roundForJson(value) : null)

export const findExtremes = (points: Points): Extremes => {
  const { values } = points
  const width = getWidth(points)
  const [lowest, highest] = [getMinOffset(points), getMaxOffset(points)]
  return mapMeasures((_, index) => {
    let min = Number.POSITIVE_INFINITY
    let max = Number.NEGATIVE_INFINITY
    // NaN compares as neither lower nor higher.
    for (let at = index; at < values.length; at += width) {
      const low = values[at + lowest] as number
      const high = values[at + highest] as number
      if (low < min) min = low
      if (high > max) max = high
    }
    return { min: rounded(min), max: rounded(max) }
  })
}
