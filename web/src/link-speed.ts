/** What the browser reports about a loaded file. */
type LoadedFile = Pick<
  PerformanceResourceTiming,
  'name' | 'transferSize' | 'workerStart' | 'responseStart' | 'responseEnd'
>

/** Smaller transfers measure latency rather than throughput. */
const minBytes = 64 * 1024
const slowKbps = 1000

/** A map with its place names takes ten seconds at this speed. */
export const isSlow = (kbps: number) => kbps < slowKbps

/** The speed at which files arrived, in kilobits per second; unknown if most of them came from a cache. */
export function measureKbps(files: readonly LoadedFile[]): number | undefined {
  // A stream lasts as long as the page, and files from the service worker did not use the link.
  const loaded = files.filter(
    ({ name, transferSize, workerStart }) => name.includes('/assets/') && transferSize > 0 && workerStart === 0,
  )
  const bytes = loaded.reduce((sum, { transferSize }) => sum + transferSize, 0)
  if (bytes < minBytes) return undefined
  // Files share the link, so overlapping transfers count once.
  let busyMs = 0
  let untilMs = 0
  for (const { responseStart, responseEnd } of loaded.toSorted((a, b) => a.responseStart - b.responseStart)) {
    busyMs += Math.max(0, responseEnd - Math.max(untilMs, responseStart))
    untilMs = Math.max(untilMs, responseEnd)
  }
  return (bytes * 8) / Math.max(busyMs, 1)
}
