/** Selects or deselects the row `to`; with `from`, all rows between both become what `to` becomes. */
export function selectRange(
  rows: readonly { id: string }[],
  selected: ReadonlySet<string>,
  from: string | undefined,
  to: string,
): ReadonlySet<string> {
  const next = new Set(selected)
  const change = selected.has(to) ? (id: string) => next.delete(id) : (id: string) => next.add(id)
  const ends = [from ?? to, to].map((id) => rows.findIndex((row) => row.id === id))
  // The first row of the range is hidden by a search.
  if (ends.includes(-1)) change(to)
  else for (let at = Math.min(...ends); at <= Math.max(...ends); at++) change((rows[at] as { id: string }).id)
  return next
}
