export type Vector = number[]
export type Matrix = Vector[]

export const zeros = (size: number): Vector => new Array<number>(size).fill(0)

export const dot = (a: Vector, b: Vector): number => {
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += (a[index] as number) * (b[index] as number)
  return sum
}

export const times = (matrix: Matrix, vector: Vector): Vector => matrix.map((row) => dot(row, vector))

/** The inverse of a symmetric positive definite matrix, which needs no row exchanges. */
export const invert = (matrix: Matrix): Matrix => {
  const size = matrix.length
  const work = matrix.map((row, index) => [...row, ...zeros(size).fill(1, index, index + 1)])
  for (const [pivot, row] of work.entries()) {
    const scale = row[pivot] as number
    for (let column = 0; column < row.length; column++) row[column] = (row[column] as number) / scale
    for (const [other, target] of work.entries()) {
      const factor = target[pivot] as number
      if (other === pivot || factor === 0) continue
      for (let column = 0; column < row.length; column++)
        target[column] = (target[column] as number) - factor * (row[column] as number)
    }
  }
  return work.map((row) => row.slice(size))
}
