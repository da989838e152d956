import { formatCount } from '#contract/format/numbers.ts'

/** '12', or '3 of 12' while a search hides some. */
export const formatShownCount = (shown: number, total: number) =>
  shown === total ? formatCount(total) : `${formatCount(shown)} of ${formatCount(total)}`
