/**
 * The newest rows in the order of those on the screen, so that nothing moves under the pointer. New rows come last,
 * removed ones disappear.
 */
export function applyStableOrder<Row>(
  shown: readonly Row[],
  next: readonly Row[],
  getKey: (row: Row) => string,
): Row[] {
  const placeByKey = new Map(shown.map((row, place) => [getKey(row), place]))
  const placed: (Row | undefined)[] = new Array(shown.length)
  const added: Row[] = []
  for (const row of next) {
    const place = placeByKey.get(getKey(row))
    if (place === undefined) added.push(row)
    else placed[place] = row
  }
  return [...placed.filter((row) => row !== undefined), ...added]
}
