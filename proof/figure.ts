/** One thing that was shown, beside what it must be. */
export interface Figure {
  name: string
  value: number | string
  limit: string
  pass: boolean
  unit?: string
}

export const formatValue = (value: number | string) => {
  if (typeof value === 'string') return value
  return Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)))
}

// A figure that could not be measured is NaN, and no comparison with NaN holds: it fails.
export const atMost = (name: string, value: number, limit: number, unit?: string): Figure => ({
  ...{ name, value, limit: `at most ${formatValue(limit)}`, pass: value <= limit },
  ...(unit && { unit }),
})

export const atLeast = (name: string, value: number, limit: number, unit?: string): Figure => ({
  ...{ name, value, limit: `at least ${formatValue(limit)}`, pass: value >= limit },
  ...(unit && { unit }),
})

export const exactly = (name: string, value: number | string, limit: number | string, unit?: string): Figure => ({
  ...{ name, value, limit: `exactly ${formatValue(limit)}`, pass: value === limit },
  ...(unit && { unit }),
})
