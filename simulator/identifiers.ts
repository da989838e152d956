import { scramble } from './noise.ts'

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')
const decimal = (value: number, digits: number) => String(value % 10 ** digits).padStart(digits, '0')

/** Ids in the vendor's formats. The scrambled index makes each one unique. */
export const buildTerminalId = (seed: number, index: number) => `01000000-00000000-${hex(scramble(index, seed), 8)}`

export const buildRouterId = (seed: number, index: number, nth: number) =>
  `Router-0100000000000000${hex(scramble(index * 2 + nth, seed ^ 0x5a5a), 8).toUpperCase()}`

export const buildKitSerial = (seed: number, index: number) =>
  `KIT${String(scramble(index, seed ^ 0x1357)).padStart(10, '0')}`

export const buildDishSerial = (seed: number, index: number) =>
  `2DHT${String(scramble(index, seed ^ 0x2468)).padStart(10, '0')}`

export const buildLineNumber = (seed: number, index: number) => {
  const digits = String(scramble(index, seed ^ 0x369c)).padStart(10, '0')
  const check = decimal(scramble(index, 0x77), 2)
  const prefix = index % 5 === 4 ? 'SL-DF' : 'AST'
  return `${prefix}-${digits.slice(0, 5)}-${digits.slice(5)}-${check}`
}

export const buildAccountNumber = (seed: number, index: number) => {
  const digits = String(scramble(index, seed ^ 0x4812)).padStart(10, '0')
  return `ACC-${digits.slice(0, 6)}-${digits.slice(5)}-${decimal(scramble(index, 0x99), 2)}`
}

export const buildUuid = (seed: number, index: number, salt: number) => {
  const word = (nth: number) => hex(scramble(index, seed ^ Math.imul(salt + nth, 0x9e3779b9)), 8)
  const [a, b, c, d] = [word(1), word(2), word(3), word(4)]
  return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-a${c.slice(1, 4)}-${c.slice(4)}${d}`
}
