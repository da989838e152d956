/** Toggles the row `to`; with `from`, sets all rows between both to the same state. */
export function selectRange(
  rows: readonly { id: string }[],
  selected: ReadonlySet<string>,
  from: string | undefined,
  to: string,
): ReadonlySet<string> {
  const next = new Set(selected)
  const change = selected.has(to) ? (id: string) => next.delete(id) : (id: string) => next.add(id)
  const ends = [from ?? to, to].map((id) => rows.findIndex((row) => row.id === id))
  // A search hides the start of the range.
  if (ends.includes(-1)) change(to)
  else for (let at = Math.min(...ends); at <= Math.max(...ends); at++) change((rows[at] as { id: string }).id)
  return next
}
