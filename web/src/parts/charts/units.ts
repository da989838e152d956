/** Unknown is not zero. */
const unlessUnknown = (format: (value: number) => string) => (value: number | null) =>
  value === null ? 'N/A' : format(value)

/** Mbps, or Kbps below one; the product counts 1024 Kbps to the Mbps. */
export const formatSpeed = unlessUnknown((mbps) =>
  mbps < 1 ? `${(mbps * 1024).toFixed(2)} Kbps` : `${mbps.toFixed(2)} Mbps`,
)

export const formatNumber = (unit: string) => unlessUnknown((value) => `${value.toFixed(2)} ${unit}`)

/** A fraction of one, shown in percent. */
export const formatFraction = unlessUnknown((fraction) => `${(fraction * 100).toFixed(2)}%`)
