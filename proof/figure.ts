/** One measured value with its limit. */
export interface Figure {
  name: string
  value: number | string
  limit: string
  pass: boolean
  unit?: string
  /** Set if the value depends on the speed of the machine and its unit does not show it. */
  timed?: boolean
}

export const formatValue = (value: number | string) => {
  if (typeof value === 'string') return value
  return Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)))
}

// A figure that could not be measured is NaN, and every comparison with NaN is false: it fails.
export const atMost = (name: string, value: number, limit: number, unit?: string): Figure => ({
  name,
  value,
  limit: `at most ${formatValue(limit)}`,
  pass: value <= limit,
  ...(unit && { unit }),
})

export const atLeast = (name: string, value: number, limit: number, unit?: string): Figure => ({
  name,
  value,
  limit: `at least ${formatValue(limit)}`,
  pass: value >= limit,
  ...(unit && { unit }),
})

export const exactly = (name: string, value: number | string, limit: number | string, unit?: string): Figure => ({
  name,
  value,
  limit: `exactly ${formatValue(limit)}`,
  pass: value === limit,
  ...(unit && { unit }),
})

/** The value names what was counted: it is all that the summary of a failed run shows. */
export const none = (name: string, counts: ReadonlyMap<string, number>): Figure => {
  const found = [...counts].map(([what, times]) => `${times} × ${what}`)
  return exactly(name, found.length === 0 ? 0 : found.join(', '), 0)
}

const TIMED_UNITS = new Set(['ms', 's', 'times', 'rows/s'])

/**
 * Short forms run on unknown machines next to other work. There a time is shown with its limit and does not fail the
 * run, as long as it could be measured. Counts decide in both forms.
 */
export const judge = (form: 'short' | 'full', figure: Figure): Figure => {
  if (form === 'full' || !(figure.timed || TIMED_UNITS.has(figure.unit ?? ''))) return figure
  return { ...figure, limit: `${figure.limit}, full form`, pass: !Number.isNaN(figure.value) }
}
