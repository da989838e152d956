/** The owners of values. Every text of an owner contains the word, every number the digits. */
export const marks = {
  north: { word: 'MARKNORTH', digits: '77131' },
  south: { word: 'MARKSOUTH', digits: '77232' },
  foreign: { word: 'MARKFOREIGN', digits: '77333' },
  /** The pool with lines of several customers; only for administrators. */
  shared: { word: 'MARKSHARED', digits: '77535' },
  /** The metadata of every line; only for users who may see it. */
  metadata: { word: 'MARKMETADATA', digits: '77434' },
} as const

export type Mark = keyof typeof marks

// Their digits are arbitrary.
const MOMENTS_AND_IDS = /\d{4}-\d\d-\d\d[T ][\d:.]+|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi

/** The marks found in a text. */
export const findMarks = (text: string) => {
  const upper = text.toUpperCase()
  const numbers = text.replaceAll(MOMENTS_AND_IDS, '').replaceAll('.', '')
  return (Object.keys(marks) as Mark[]).filter((name) => {
    const { word, digits } = marks[name]
    return upper.includes(word) || numbers.includes(digits)
  })
}

export type Owner = Exclude<Mark, 'metadata' | 'shared'>
