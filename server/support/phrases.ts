/** Formats times in the user's time zone. */
export type FormatMoment = (at: Date) => string

/** 'one', 'one and two', 'one, two and three'. */
export const joinWords = (words: readonly string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
