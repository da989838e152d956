import type { TerminalSample } from '#starlink/telemetry-terminal.ts'
import type { Feed } from './feed.ts'

const MINUTE_MS = 60_000

/** Nothing is wrong with the batch: it can be applied once the clock of this machine is right. */
export class ClockBehind extends Error {
  override name = 'ClockBehind'
  constructor(behindMs: number) {
    super(
      `The clock of this machine is ${Math.round(behindMs / MINUTE_MS)} min behind the times of the telemetry. Synchronize it.`,
    )
  }
}

/** The middle one of the newest times of each terminal: some may have wrong clocks. */
const findMiddleNewestMs = (samples: readonly TerminalSample[]) => {
  const newest = new Map<string, number>()
  for (const { deviceId, atMs } of samples) newest.set(deviceId, Math.max(newest.get(deviceId) ?? atMs, atMs))
  const times = [...newest.values()].sort((one, other) => one - other)
  return times[Math.floor((times.length - 1) / 2)] as number
}

/** With a clock that is further behind, the certificate of the vendor would not be valid yet: its times are wrong. */
const LONGEST_BEHIND_MS = 30 * 86_400_000

/**
 * When a batch was received. If the clock was so far behind that most of its rows would be from the future, which are
 * skipped, it is the time of these rows. While the clock still is, the batch has to wait: the vendor sends it once. The only
 * dish of an account may report any time, which must not keep its batches waiting until then.
 */
export const readReceivedMs = (
  { now, limits: { clockSkewMs } }: Pick<Feed, 'now' | 'limits'>,
  samples: readonly TerminalSample[],
  receivedAt: Date,
) => {
  const receivedMs = receivedAt.getTime()
  if (!samples.some(({ atMs }) => atMs > receivedMs + clockSkewMs)) return receivedMs
  const newestMs = findMiddleNewestMs(samples)
  if (newestMs <= receivedMs + clockSkewMs || newestMs > receivedMs + LONGEST_BEHIND_MS) return receivedMs
  const behindMs = newestMs - now()
  if (behindMs > clockSkewMs) throw new ClockBehind(behindMs)
  return newestMs
}
