import * as z from 'zod/mini'
import { wholeNumber } from './codecs.ts'
import { text, textLike } from './text.ts'

const clock = /^([01]\d|2[0-3]):[0-5]\d$/

/** A time of day such as 22:00 on the wire, minutes after midnight in code. */
const timeOfDay = z.codec(textLike(5, clock, 'Please enter a time such as 22:00.'), z.int(), {
  decode: (value) => Number(value.slice(0, 2)) * 60 + Number(value.slice(3)),
  encode: (minutes) => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`,
})

const isTimeZone = (name: string) => {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** No text is sent between the two times in the user's time zone. When they are equal, none is held back. */
export const QuietHours = z.strictObject({
  quietFrom: timeOfDay,
  quietUntil: timeOfDay,
  timeZone: text(60).check(z.refine(isTimeZone, 'This is not the name of a time zone.')),
  smsDailyLimit: wholeNumber(1, 100),
})
export type QuietHours = z.output<typeof QuietHours>
