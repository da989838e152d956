const STOP_WORDS = new Set(
  `a about am an and any are as at be been by can could did do does find for from get got had has have help how i if in is it
  its me mean my no not of on or our please see should so some that the their there these they this those to us was we were what
  when where which who why will with would you your`.split(/\s+/),
)

/** A crude stemmer: 'dishes' becomes 'dish' and 'rebooting' becomes 'reboot', in questions and in entries. */
export const stem = (word: string) => {
  if (word.length > 5 && word.endsWith('ing')) return word.slice(0, -3)
  if (word.length > 4 && /(ed|es)$/.test(word)) return word.slice(0, -2)
  return word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word
}

/** Synonyms of one word. */
const TERMINAL = new Set(['antenna', 'dish', 'dishy', 'kit', 'starlink'])

/** The distinct words of a text without stop words, in lower case and without accents. */
export const contentWords = (text: string): Set<string> => {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('’', "'")
  const words = plain.split(/[^\p{L}\p{N}']+/u).map((word) => word.replace(/'s$|'/g, ''))
  return new Set(
    words
      .filter((word) => word !== '' && !STOP_WORDS.has(word))
      .map(stem)
      .map((word) => (TERMINAL.has(word) ? 'terminal' : word)),
  )
}
