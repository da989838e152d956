import { formatDecimal } from '#contract/format/numbers.ts'
import type { ChartMeasure } from './measures.ts'

/** The upper end of the value axis, in its unit. A nearly idle line stays near the bottom: noise must not look like a signal. */
export const getAxisEnd = (
  { fullScale, leastScale }: Pick<ChartMeasure, 'fullScale' | 'leastScale'>,
  max: number | null,
) => fullScale ?? Math.max(leastScale, (max ?? 0) * 1.1)

const MAX_DECIMALS = 6

/** As many decimals as the steps between the labels need, so that no two labels are the same. */
export function formatAxisLabels(values: readonly number[], step: number) {
  const isWhole = (value: number) => Math.abs(value - Math.round(value)) < 1e-6
  let decimals = 0
  while (decimals < MAX_DECIMALS && !isWhole(step * 10 ** decimals)) decimals++
  return values.map((value) => formatDecimal(value, decimals))
}
