import * as z from 'zod/mini'
import { textLike } from './text.ts'

const clock = /^([01]\d|2[0-3]):[0-5]\d$/

/** A time of day such as 22:00 on the wire, minutes after midnight in code. */
export const timeOfDay = z.codec(textLike(5, clock, 'Please enter a time such as 22:00.'), z.int(), {
  decode: (value) => Number(value.slice(0, 2)) * 60 + Number(value.slice(3)),
  encode: (minutes) => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`,
})

const invalidDay = 'Please enter a day such as 2026-11-17.'

/** A day of the calendar such as 2026-11-17. */
export const calendarDay = textLike(10, /^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, invalidDay).check(
  z.refine((day) => new Date(Date.parse(`${day}T00:00:00Z`) || 0).toISOString().startsWith(day), invalidDay),
)
