import { measures as declared } from '#contract/measures.ts'
import { getMeasureIndex } from '#starlink/telemetry-measures.ts'
import type { BinaryCopy } from './binary-copy.ts'

/** Each measure with the index of its value in the vendor's sample. */
export const measures = declared.map((measure) => ({ ...measure, valueIndex: getMeasureIndex(measure.source) }))

const valueIndexes = measures.map(({ valueIndex }) => valueIndex)

/** Writes the values of a sample in the order of `sampleColumns`. */
export const copyMeasures = (copy: BinaryCopy, values: readonly number[]) => {
  for (let place = 0; place < valueIndexes.length; place++) copy.float4(values[valueIndexes[place] as number] as number)
}

export const sampleColumns = measures.map(({ sampleColumn }) => sampleColumn)

export const declareRealColumns = (names: readonly string[]) => names.map((name) => `${name} real`).join(', ')

/** The columns that a tier has for each measure. */
export const tierColumns = measures.flatMap(({ tierColumn }) =>
  ['min', 'max', 'sum', 'last'].map((part) => `${tierColumn}_${part}`),
)

/** Repeats a piece of SQL for each measure. `position` counts from 1, like PostgreSQL's arrays. */
export const sqlPerMeasure = (text: (measure: (typeof measures)[number], position: number) => string) =>
  measures.map((measure, index) => text(measure, index + 1)).join(',\n      ')
