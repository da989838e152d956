/**
 * Where the items of `part` stand in `whole`, which holds them in the same order; nothing where it is the whole. Two lists
 * are walked side by side: a look into a table for each of 100,000 would take as long as the search itself.
 */
export function positionsIn<Item>(whole: readonly Item[], part: readonly Item[]): Uint32Array | undefined {
  if (part === whole) return undefined
  const positions = new Uint32Array(part.length)
  let next = 0
  for (let at = 0; at < whole.length && next < part.length; at++) if (whole[at] === part[next]) positions[next++] = at
  return positions
}
