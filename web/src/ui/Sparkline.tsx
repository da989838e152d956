interface SparklineProps {
  /** In chronological order; null where unknown. */
  values: readonly (number | null)[]
  className?: string | undefined
}

const HEIGHT = 20

/** A small line without axes. It is decorative: the figure next to it states the value. */
export function Sparkline({ values, className }: SparklineProps) {
  const known = values.filter((value) => value !== null)
  if (known.length < 2) return <svg className={className} aria-hidden="true" />
  const [lowest, highest] = [Math.min(...known), Math.max(...known)]
  const toY = (value: number) =>
    highest === lowest ? HEIGHT / 2 : 1 + ((HEIGHT - 2) * (highest - value)) / (highest - lowest)
  const path = values
    .map((value, x) => (value === null ? '' : `${(values[x - 1] ?? null) === null ? 'M' : 'L'}${x} ${toY(value)}`))
    .join('')
  return (
    <svg
      className={className}
      viewBox={`0 0 ${values.length - 1} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={path} fill="none" stroke="currentColor" strokeWidth="1.5" vectorEffect="non-scaling-stroke" />
    </svg>
  )
}
