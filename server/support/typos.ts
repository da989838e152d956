import { stem } from './words.ts'

const MIN_LENGTH = 5

/** Whether one word becomes the other by one letter more, less, changed or swapped with the next. */
const isOneOff = (one: string, other: string) => {
  let start = 0
  while (start < one.length && one[start] === other[start]) start++
  const [a, b] = [one.slice(start), other.slice(start)]
  if (a === b) return false
  const isSwapped = a.length > 1 && a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2)
  return isSwapped || a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1)
}

/** The text with each unknown word replaced by the only known word that is one typo away. */
export const correctTypos = (text: string, known: ReadonlySet<string>) =>
  text.replace(/\p{L}+/gu, (word) => {
    const plain = word.toLowerCase()
    if (plain.length < MIN_LENGTH || known.has(plain) || known.has(stem(plain))) return word
    const near = [...known].filter(
      (each) => each.length >= MIN_LENGTH && (isOneOff(plain, each) || isOneOff(stem(plain), each)),
    )
    return near.length === 1 ? (near[0] as string) : word
  })
