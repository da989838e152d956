import { type MeasureName, mapMeasures, measures } from '#contract/measures.ts'
import { JsonBytes, roundedForJson } from './json-bytes.ts'

/** In the order of time; what is missing is not a number. */
export interface Points {
  timesUs: Float64Array
  /** Point after point: the value of each measure, then, with bands, the lowest of each and the highest of each. */
  values: Float32Array
  hasBands: boolean
}

export type Extremes = Record<MeasureName, { min: number | null; max: number | null }>

const WIDTH = measures.length
export const getWidth = ({ hasBands }: Pick<Points, 'hasBands'>) => (hasBands ? 3 * WIDTH : WIDTH)
const getMinOffset = ({ hasBands }: Points) => (hasBands ? WIDTH : 0)
const getMaxOffset = ({ hasBands }: Points) => (hasBands ? 2 * WIDTH : 0)

/** Of one point, and of one number, with their names; a guess that is too low costs a copy. */
const POINT_BYTES = 180
const NUMBER_BYTES = 11

const [FIRST_POINT, NEXT_POINT, END, OPEN, COMMA, CLOSE] = ['{"timestamp":', ',{"timestamp":', '}', '[', ',', ']'].map(
  (text) => Buffer.from(text),
) as [Buffer, Buffer, Buffer, Buffer, Buffer, Buffer]
const KEYS = measures.map(({ name }) => Buffer.from(`,"${name}":`))

/** The newest points, as the JSON of a list without its brackets. */
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

/** As the points are written, so that a chart's highest point is its MAX. */
const rounded = (value: number) => (Number.isFinite(value) ? roundedForJson(value) : null)

export const findExtremes = (points: Points): Extremes => {
  const { values } = points
  const width = getWidth(points)
  const [lowest, highest] = [getMinOffset(points), getMaxOffset(points)]
  return mapMeasures((_, index) => {
    let min = Number.POSITIVE_INFINITY
    let max = Number.NEGATIVE_INFINITY
    // What is not a number is neither lower nor higher.
    for (let at = index; at < values.length; at += width) {
      const low = values[at + lowest] as number
      const high = values[at + highest] as number
      if (low < min) min = low
      if (high > max) max = high
    }
    return { min: rounded(min), max: rounded(max) }
  })
}
