/** Writes times as the asker's clock shows them. */
export type FormatMoment = (at: Date) => string

export const createFormatMoment = (timeZone: string): FormatMoment => {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    month: 'long',
    day: 'numeric',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  })
  // Node separates the hour and AM by a space that looks like one and is none.
  return (at) => format.format(at).replaceAll('\u202f', ' ')
}

const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

export const formatNumber = (value: number) => numbers.format(value)

export const formatCount = (count: number, noun: string) => `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`

/** 'one', 'one and two', 'one, two and three'. */
export const joinWords = (words: readonly string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
