const STOP_WORDS = new Set(
  `a about am an and any are as at be been by can could did do does explain find for from get getting give got had has have help
  how i if in is it its know let like me mean my need no not of on or our please see should show so some tell that the their there
  these they this those to us want was we were what when where which why will with would you your`.split(/\s+/),
)

/** A crude stemmer: 'dishes' becomes 'dish' and 'rebooting' becomes 'reboot', in questions and in entries. */
export const stem = (word: string) => {
  if (word.length > 5 && word.endsWith('ing')) return withoutDouble(word.slice(0, -3))
  if (word.length > 4 && word.endsWith('ed')) return withoutDouble(word.slice(0, -2))
  if (word.length > 4 && word.endsWith('es')) return word.slice(0, -2)
  if (word.length > 4 && word.endsWith('e')) return word.slice(0, -1)
  return word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word
}

/** 'stopped' is 'stop', and 'disabled' and 'disable' are the same word. */
const withoutDouble = (word: string) => (/([bdgmprt])\1$/.test(word) ? word.slice(0, -1) : word)

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
