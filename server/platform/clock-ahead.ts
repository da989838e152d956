/** More than the clocks of processes differ. A time beyond it was written by a clock that was ahead. */
export const MAX_AHEAD_MS = 10 * 60_000

/** What a clock that was ahead has dated would otherwise hold until the clock gets there again. */
export const isFromClockAhead = (at: Date, now: Date) => at.getTime() > now.getTime() + MAX_AHEAD_MS
