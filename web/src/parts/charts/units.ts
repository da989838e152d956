/** Unknown is said, never shown as zero. */
const unlessUnknown = (text: (value: number) => string) => (value: number | null) =>
  value === null ? 'N/A' : text(value)

/** Mbps, or Kbps below one; the product counts 1024 Kbps to the Mbps. */
export const speedText = unlessUnknown((mbps) =>
  mbps < 1 ? `${(mbps * 1024).toFixed(2)} Kbps` : `${mbps.toFixed(2)} Mbps`,
)

export const latencyText = unlessUnknown((ms) => `${ms.toFixed(2)} ms`)

/** Of a fraction. */
export const percentText = unlessUnknown((fraction) => `${(fraction * 100).toFixed(2)}%`)
