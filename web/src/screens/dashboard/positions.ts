/**
 * The indexes of the items of `part` in `whole`, which has them in the same order; undefined if both are the same. Both
 * lists are walked in parallel: 100,000 lookups in a map would take as long as the search itself.
 */
export function findPositions<Item>(whole: readonly Item[], part: readonly Item[]): Uint32Array | undefined {
  if (part === whole) return undefined
  const positions = new Uint32Array(part.length)
  let next = 0
  for (let at = 0; at < whole.length && next < part.length; at++) if (whole[at] === part[next]) positions[next++] = at
  return positions
}
