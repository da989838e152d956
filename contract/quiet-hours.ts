import * as z from 'zod/mini'
import { wholeNumber } from './codecs.ts'
import { textLike } from './text.ts'
import { TimeZone } from './time-zone.ts'

const clock = /^([01]\d|2[0-3]):[0-5]\d$/

/** A time of day such as 22:00 on the wire, minutes after midnight in code. */
const timeOfDay = z.codec(textLike(5, clock, 'Please enter a time such as 22:00.'), z.int(), {
  decode: (value) => Number(value.slice(0, 2)) * 60 + Number(value.slice(3)),
  encode: (minutes) => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`,
})

/** No text is sent between the two times in the user's time zone. When they are equal, none is held back. */
export const QuietHours = z.strictObject({
  quietFrom: timeOfDay,
  quietUntil: timeOfDay,
  timeZone: TimeZone,
  smsDailyLimit: wholeNumber(1, 100),
})
export type QuietHours = z.output<typeof QuietHours>
