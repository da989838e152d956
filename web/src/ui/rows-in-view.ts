/** Rows beyond the edges that are ready when somebody scrolls on. */
const spareRows = 6

/** The indexes to show of `count` rows where `fitting` of them fit in view from `first` on. */
export function rowsInView(count: number, { first, fitting }: { first: number; fitting: number }) {
  // A list that has just become shorter is still scrolled to where it was long.
  const top = Math.max(0, Math.min(first, count - fitting))
  const from = Math.max(0, top - spareRows)
  const to = Math.min(count, top + fitting + spareRows)
  return Array.from({ length: to - from }, (_, at) => from + at)
}
