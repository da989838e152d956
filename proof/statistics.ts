const inOrder = (values: number[]) => values.toSorted((one, other) => one - other)

/** NaN if there are no values. */
export const quantile = (values: number[], share: number) =>
  inOrder(values)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN

export const median = (values: number[]) => quantile(values, 0.5)

/**
 * The probability that a value of one kind is above a value of the other, with ties counted half: 0.5 if the kinds
 * are alike, 0 or 1 if a single value reveals its kind.
 */
export const chanceAbove = (ones: number[], others: number[]) => {
  let wins = 0
  for (const one of ones) for (const other of others) wins += one > other ? 1 : one === other ? 0.5 : 0
  return wins / (ones.length * others.length)
}
