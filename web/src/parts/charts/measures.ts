import { formatDecimal, formatPercent } from '#contract/format/numbers.ts'
import { formatSpeed } from '#contract/format/units.ts'
import {
  type Measure as Declared,
  measures as declared,
  getDisplayFactor,
  type MeasureName,
} from '#contract/measures.ts'

export interface ChartMeasure {
  key: MeasureName
  label: string
  /** The unit of the axis. */
  unit: string
  format: (value: number | null) => string
  /** Multiplies the value on the wire to get the figure on the axis. */
  factor: number
  /** The upper end of the axis, if fixed. */
  fullScale: number | undefined
  /** The upper end of the axis is at least this. */
  leastScale: number
  /** The threshold at which service is affected, in the unit of the axis, and in words. */
  hurtsAt: number | undefined
  threshold: string | undefined
}

const getFormat = ({ format, unit }: Declared): ChartMeasure['format'] => {
  const write = {
    speed: formatSpeed,
    number: (value: number) => `${formatDecimal(value)} ${unit}`,
    fraction: (value: number) => formatPercent(value * 100, 2),
  }[format]
  return (value) => (value === null ? 'N/A' : write(value))
}

const describeThreshold = (measure: Declared) => {
  if (!measure.hurts) return { hurtsAt: undefined, threshold: undefined }
  const hurtsAt = measure.hurts.at * getDisplayFactor(measure)
  return { hurtsAt, threshold: `Service suffers ${measure.hurts.when} ${formatPercent(hurtsAt)}` }
}

/** One per chart, in the order of the charts. */
export const measures: readonly ChartMeasure[] = declared.map((measure: Declared) => ({
  key: measure.name,
  label: measure.label,
  unit: measure.unit,
  format: getFormat(measure),
  factor: getDisplayFactor(measure),
  fullScale: measure.fullScale,
  leastScale: measure.format === 'speed' ? 0.1 : 1,
  ...describeThreshold(measure),
}))
