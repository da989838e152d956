/**
 * The newest rows in the order of those on the screen, so that nothing moves under a pointer: what is new comes last,
 * what is gone leaves.
 */
export function applyStableOrder<Row>(shown: readonly Row[], next: readonly Row[], keyOf: (row: Row) => string): Row[] {
  const placeOf = new Map(shown.map((row, place) => [keyOf(row), place]))
  const kept: (Row | undefined)[] = new Array(shown.length)
  const added: Row[] = []
  for (const row of next) {
    const place = placeOf.get(keyOf(row))
    if (place === undefined) added.push(row)
    else kept[place] = row
  }
  return [...kept.filter((row) => row !== undefined), ...added]
}
