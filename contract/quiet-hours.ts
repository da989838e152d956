import * as z from 'zod/mini'
import { timeOfDay } from './calendar.ts'
import { wholeNumber } from './codecs.ts'
import { TimeZone } from './time-zone.ts'

/**
 * No text is sent between the two times in the user's time zone. When they are equal, there are no quiet
 * hours.
 */
export const QuietHours = z.strictObject({
  quietFrom: timeOfDay,
  quietUntil: timeOfDay,
  timeZone: TimeZone,
  smsDailyLimit: wholeNumber(1, 100),
})
export type QuietHours = z.output<typeof QuietHours>
