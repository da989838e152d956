/** One measured value. `atLeast` and `atMost` are its targets; figures without a target are informational. */
export interface Figure {
  name: string
  value: number
  unit: string
  atLeast?: number
  atMost?: number
}

/** `sizes` are the requested fleet sizes; an empty list means all. */
export type Bench = (sizes: readonly number[]) => Promise<Figure[]>

const isMet = ({ value, atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY }: Figure) =>
  value >= atLeast && value <= atMost

const formatNumber = (value: number) =>
  Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)))

const describeTarget = ({ atLeast, atMost }: Figure) =>
  [
    atLeast !== undefined && `at least ${formatNumber(atLeast)}`,
    atMost !== undefined && `at most ${formatNumber(atMost)}`,
  ]
    .filter(Boolean)
    .join(', ')

export const printFigures = (bench: string, figures: Figure[]) => {
  console.log(`\n${bench}`)
  for (const figure of figures) {
    const target = describeTarget(figure)
    const verdict = target === '' ? '' : `${target.padEnd(18)}${isMet(figure) ? 'PASS' : 'FAIL'}`
    console.log(
      `  ${figure.name.padEnd(58)}${formatNumber(figure.value).padStart(12)} ${figure.unit.padEnd(12)}${verdict}`,
    )
  }
  return figures.every(isMet)
}
