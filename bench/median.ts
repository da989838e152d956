export const findMedian = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] as number
