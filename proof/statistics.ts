const inOrder = (values: number[]) => values.toSorted((one, other) => one - other)

/** NaN when there is nothing to measure. */
export const quantile = (values: number[], share: number) =>
  inOrder(values)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN

export const median = (values: number[]) => quantile(values, 0.5)

/**
 * How often a value of the one kind is above a value of the other, ties by half: 0.5 when nothing tells the kinds apart, 0
 * or 1 when a single value does.
 */
export const chanceAbove = (ones: number[], others: number[]) => {
  let wins = 0
  for (const one of ones) for (const other of others) wins += one > other ? 1 : one === other ? 0.5 : 0
  return wins / (ones.length * others.length)
}
